import { isIPv6 } from 'node:net';
import * as z from 'zod';
import { metadataPatchSchema, metadataSchema } from '../http/metadata';

/** Host names, IPv4 addresses and `*.example.com`, but no IPv6 (API facts, section 16). */
const hostSchema = z.string().refine(host => /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(host) && !isIPv6(host), {
  error: 'must be a host name, an IPv4 address or a *.-prefixed wildcard',
});
const networkingSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('unrestricted') }),
  z.object({ type: z.literal('limited'), allowed_hosts: z.array(hostSchema).min(1).max(16) }),
]);
const injectionSchema = z.object({ header: z.boolean().optional(), body: z.boolean().optional() });

const secret = (most: number) => z.string().min(1).max(most);
const urlSchema = z
  .string()
  .max(2047)
  .refine(text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), { error: 'must be a valid URL' });
const timeSchema = z.iso.datetime({ offset: true });

const clientSecret = secret(512);
const refreshSchema = z.object({
  refresh_token: secret(4096),
  token_endpoint: urlSchema,
  client_id: z.string().min(1).max(1024),
  scope: z.string().min(1).max(8192).nullish(),
  resource: urlSchema.nullish(),
  token_endpoint_auth: z.discriminatedUnion('type', [
    z.object({ type: z.literal('none') }),
    z.object({ type: z.literal('client_secret_basic'), client_secret: clientSecret }),
    z.object({ type: z.literal('client_secret_post'), client_secret: clientSecret }),
  ]),
});

const createAuthSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('mcp_oauth'),
    mcp_server_url: urlSchema,
    access_token: secret(8192),
    expires_at: timeSchema.nullish(),
    refresh: refreshSchema.nullish(),
  }),
  z.object({ type: z.literal('static_bearer'), mcp_server_url: urlSchema, token: secret(8192) }),
  z.object({
    type: z.literal('environment_variable'),
    secret_name: z.string().min(1).max(255),
    secret_value: secret(4096),
    networking: networkingSchema,
    injection_location: injectionSchema.optional(),
  }),
]);

const updateAuthSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mcp_oauth'),
    access_token: secret(8192).nullish(),
    expires_at: timeSchema.nullish(),
    refresh: z
      .strictObject({
        refresh_token: secret(4096).nullish(),
        scope: z.string().max(8192).nullish(),
        token_endpoint_auth: z
          .strictObject({ type: z.enum(['client_secret_basic', 'client_secret_post']), client_secret: clientSecret.nullish() })
          .optional(),
      })
      .nullish(),
  }),
  z.strictObject({ type: z.literal('static_bearer'), token: secret(8192).nullish() }),
  z.strictObject({
    type: z.literal('environment_variable'),
    secret_value: secret(4096).nullish(),
    networking: networkingSchema.nullish(),
    injection_location: injectionSchema.optional(),
  }),
]);

const nameSchema = z.string().min(1).max(255);

export const createVaultSchema = z.object({ display_name: nameSchema, metadata: metadataSchema.optional() });
export const updateVaultSchema = z.object({ display_name: nameSchema.nullish(), metadata: metadataPatchSchema.optional() });

/** Body of a create (API facts, section 16). */
export const createCredentialSchema = z.object({
  auth: createAuthSchema,
  display_name: z.string().max(255).nullish(),
  metadata: metadataSchema.optional(),
});
export type CreateCredentialParams = z.infer<typeof createCredentialSchema>;

/** Body of an update. Absent fields stay unchanged, and immutable ones are not in the schema. */
export const updateCredentialSchema = z.object({
  auth: updateAuthSchema.optional(),
  display_name: nameSchema.nullish(),
  metadata: metadataPatchSchema.optional(),
});
export type UpdateCredentialParams = z.infer<typeof updateCredentialSchema>;
