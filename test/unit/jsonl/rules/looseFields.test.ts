import assert from 'node:assert/strict';
import { foundIn, problemsIn } from './foundIn';

const rule = 'unknown-field';
const tool = { name: 'a', input_schema: { type: 'object' } };
const block = (content: object) => ({ messages: [{ role: 'user', content: [content] }] });

describe('jsonl/rules/looseFields', () => {
  it('warns of a name that was most likely misspelled, and proposes the right one', () => {
    const slips: readonly (readonly [more: object, path: string, suggestion: string])[] = [
      [{ tools: [{ ...tool, descripton: 'x' }] }, 'tools.0.descripton', 'description'],
      [{ output_config: { efort: 'low' } }, 'output_config.efort', 'effort'],
      [{ metadata: { userid: 'x' } }, 'metadata.userid', 'user_id'],
      [{ context_management: { edit: [] } }, 'context_management.edit', 'edits'],
      [{ container: { skill: [] } }, 'container.skill', 'skills'],
      [{ thinking: { type: 'enabled', budget: 1024 } }, 'thinking.budget', 'budget_tokens'],
      [{ tool_choice: { type: 'tool', nam: 'x' } }, 'tool_choice.nam', 'name'],
      [block({ type: 'text', text: 'x', cacheControl: null }), 'messages.0.content.0.cacheControl', 'cache_control'],
      [{ fallbacks: [{ model: 'm', thinking: { type: 'adaptive', dislay: null } }] }, 'fallbacks.0.thinking.dislay', 'display'],
    ];
    for (const [more, path, suggestion] of slips) {
      const [problem, ...others] = problemsIn(rule, more);
      assert.deepEqual(others, [], path);
      assert.deepEqual([problem?.severity, problem?.path.join('.'), problem?.hint], ['warning', path, { suggestion }]);
      assert.equal(problem?.marked, JSON.stringify(problem?.path.at(-1)));
    }
  });

  it('reports nothing if the name exists already, is dissimilar, is a keyword of a JSON Schema, or is inside unknown content', () => {
    const fine: readonly object[] = [
      { metadata: { user_id: 'x', userid: 'y' } },
      { metadata: { session: 'x', user_id: 'y', userid: 'z' } },
      { tools: [{ name: 'a', input_schema: { type: 'object', propertys: {}, require: [] } }] },
      { tools: [{ type: 'new_20290101', name: 'a', descripton: 'x', names: 1 }] },
      block({ type: 'new_block', texts: 'x', cache_controls: null }),
      { output_config: { format: { type: 'json_schema', schema: { typ: 1, typs: 2 } } } },
    ];
    for (const more of fine) {
      assert.deepEqual(foundIn(rule, more), [], JSON.stringify(more));
    }
  });
});
