/**
 * The one document of `GET /v1/models` (MOD-12): `data` as OpenAI's and Anthropic's clients read it, and `models` as Codex reads its
 * catalogue. Everything in it follows from the rows; the names of models mean nothing.
 */
import type { Model, ModelProvider } from '@weir/contract';
import { allowsRoute, refOf } from '@weir/model-routes';
import type { ModelSnapshot } from '@weir/ports';
import { readFacts } from '@weir/tool-plan';
import type { Principal } from './principal.ts';

export interface CatalogueDocument {
  /** JSON text. */
  readonly text: string;
  /** A quoted entity tag of the text. */
  readonly etag: string;
  /** One entry of `data`; undefined when the principal has no such model. */
  entry(id: string): string | undefined;
}

/**
 * Codex takes its base prompt from a catalogue's entry and cannot read one without; who wants Codex's own prompt leaves its
 * `model_catalog_url` unset.
 */
const BASE_INSTRUCTIONS = [
  "You are a coding agent. You work in the user's workspace through the tools that you are offered.",
  'Read the files that a task touches before you change them, and keep to the style that you find there.',
  'Change only what the task needs. Run the checks that the project has, and read their output.',
  'When a command fails, find the cause before you try something else.',
  'At the end say in a few sentences what you changed and what you could not check.',
].join('\n');

/** Characters of a tool result that Codex keeps. */
const TRUNCATION = { mode: 'bytes', limit: 10_000 } as const;

interface ListedModel {
  readonly id: string;
  readonly model: Model;
  readonly provider: ModelProvider;
}

export function catalogueOf(rows: ModelSnapshot, principal: Principal, binding: string | undefined, hash: (text: string) => string): CatalogueDocument {
  const listed = listModels(rows, principal, binding);
  const data = listed.map(dataEntry);
  const models = listed.map(codexEntry);
  const text = JSON.stringify({ object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, models });
  return {
    text,
    etag: `"${hash(text).slice(0, 32)}"`,
    entry(id) {
      const at = listed.findIndex(one => one.id === id || refOf(one.model) === id);
      return at === -1 ? undefined : JSON.stringify(data[at]);
    },
  };
}

/** A model is listed by its own name where that is enough, else with its provider's in front. Unpriced ones are not callable and not listed. */
function listModels({ providers, models }: ModelSnapshot, principal: Principal, binding: string | undefined): readonly ListedModel[] {
  const inReach = models.filter(({ modelProvider }) => binding === undefined || modelProvider === binding);
  const counts = new Map<string, number>();
  for (const { name } of inReach) counts.set(name, (counts.get(name) ?? 0) + 1);
  return inReach.flatMap(model => {
    const provider = providers.find(({ name }) => name === model.modelProvider);
    const allowed = principal.kind === 'internal' || allowsRoute(principal.key, model.modelProvider, model.name);
    if (provider === undefined || model.price === null || !allowed) return [];
    return [{ id: counts.get(model.name) === 1 ? model.name : refOf(model), model, provider }];
  });
}

/** The moment is not known, and both vendors' clients want one. */
const UNKNOWN_TIME = '1970-01-01T00:00:00Z';

const dataEntry = ({ id, model, provider }: ListedModel) => ({
  id,
  object: 'model',
  type: 'model',
  created: 0,
  created_at: UNKNOWN_TIME,
  display_name: model.name,
  owned_by: provider.name,
});

function codexEntry({ id, model, provider }: ListedModel, place: number) {
  const efforts = model.profile?.reasoningEffort ?? provider.profile.reasoningEffort;
  const read = readFacts({ ...provider.facts, ...model.facts }, provider.protocol);
  return {
    slug: id,
    display_name: model.name,
    description: `${model.upstreamModel} at ${provider.name}`,
    default_reasoning_level: null,
    supported_reasoning_levels: efforts.map(effort => ({ effort, description: effort })),
    shell_type: 'default',
    visibility: 'list',
    supported_in_api: true,
    priority: place,
    base_instructions: BASE_INSTRUCTIONS,
    supports_reasoning_summaries: efforts.length > 0,
    support_verbosity: false,
    default_verbosity: null,
    apply_patch_tool_type: null,
    truncation_policy: TRUNCATION,
    supports_parallel_tool_calls: 'facts' in read && read.facts.parallel_calls,
    experimental_supported_tools: [],
    context_window: null,
  };
}
