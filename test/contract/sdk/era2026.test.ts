import Anthropic, * as errors from '@anthropic-ai/sdk';
import { describeVendorDeployments } from './vendorDeployments';
import { describeVendorMemories } from './vendorMemories';
import { describeVendorSdk } from './vendorSdk';
import { describeVendorSessions } from './vendorSessions';
import { describeVendorSkills } from './vendorSkills';
import { describeVendorVaults } from './vendorVaults';
import { describeVendorWebhooks } from './vendorWebhooks';

describeVendorSdk({
  name: "the vendor's SDK 1.14",
  dialect: 'anthropic-2026',
  errors,
  connect: (baseURL, apiKey) => {
    const client = new Anthropic({ apiKey, baseURL, maxRetries: 0 });
    return {
      batches: client.beta.messages.batches,
      stableBatches: client.messages.batches,
      models: client.models,
      countTokens: [body => client.messages.countTokens(body), body => client.beta.messages.countTokens(body)],
      createMessage: body => client.messages.create(body),
      streamMessage: body => client.messages.stream(body),
    };
  },
});

describeVendorSessions({
  name: "the vendor's SDK 1.14",
  dialect: 'anthropic-2026',
  errors,
  connect: (baseURL, apiKey) => new Anthropic({ apiKey, baseURL, maxRetries: 0 }).beta,
});

describeVendorVaults({
  name: "the vendor's SDK 1.14",
  dialect: 'anthropic-2026',
  errors,
  connect: (baseURL, apiKey) => new Anthropic({ apiKey, baseURL, maxRetries: 0 }).beta,
});

describeVendorWebhooks({
  name: "the vendor's SDK 1.14",
  dialect: 'anthropic-2026',
  connect: (baseURL, apiKey) => new Anthropic({ apiKey, baseURL, maxRetries: 0 }).beta,
});

describeVendorDeployments({
  name: "the vendor's SDK 1.14",
  dialect: 'anthropic-2026',
  errors,
  connect: (baseURL, apiKey) => new Anthropic({ apiKey, baseURL, maxRetries: 0 }).beta,
});

describeVendorMemories({
  name: "the vendor's SDK 1.14",
  dialect: 'anthropic-2026',
  errors,
  connect: (baseURL, apiKey) => new Anthropic({ apiKey, baseURL, maxRetries: 0 }).beta.memoryStores,
});

describeVendorSkills({
  name: "the vendor's SDK 1.14",
  dialect: 'anthropic-2026',
  errors,
  connect: (baseURL, apiKey) => new Anthropic({ apiKey, baseURL, maxRetries: 0 }).beta.skills,
});
