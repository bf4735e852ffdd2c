/**
 * The ToolCompatibilityPlan of one request: one disposition for each declaration, and the look-ups that lead from a
 * client's tool to its name upstream and back. It never changes the route (MOD-2) and never parses a name (MOD-5).
 */
import { type AliasTable, type AliasWish, assignAliases } from './assign-aliases.ts';
import { readCollaboration } from './collaboration.ts';
import { takeInventory } from './inventory.ts';
import type { PlannedTool } from './planned-tool.ts';
import { nameRule } from './tool-alias.ts';
import { checkChoice, type ToolChoice } from './tool-choice.ts';
import { type ToolDeclaration, type ToolName, toolKey } from './tool-declaration.ts';
import { chooseForm, type FormChoice, type PlanSides, type ToolForm } from './tool-form.ts';
import { buildLookUp, type ToolLookUp } from './tool-look-up.ts';

export type Disposition = 'native' | 'adapt' | 'omit' | 'required_but_unavailable';

export interface PlanEntry {
  readonly declaration: ToolDeclaration;
  readonly disposition: Disposition;
  readonly reason: string;
  /** Undefined for a tool that does not reach the upstream. */
  readonly planned: PlannedTool | undefined;
}

export interface PlanFailure {
  readonly code: 'contradictory_tools' | 'ambiguous_collaboration' | 'alias_collision' | 'tool_choice_unknown' | 'tool_choice_unavailable';
  readonly message: string;
}

export interface ToolCompatibilityPlan extends ToolLookUp {
  /** In the order of the inventory: `tools` first as they came, then the tools that the input adds. */
  readonly entries: readonly PlanEntry[];
  readonly collaboration: 'v1' | 'v2' | 'none';
  readonly choice: ToolChoice | undefined;
  /** Nothing is adapted, omitted or moved: the tools of the body can go as they are. */
  readonly unchanged: boolean;
  /** Set when the request has to fail before any upstream byte; the entries still explain it. */
  readonly failure: PlanFailure | undefined;
}

export interface PlanInput extends PlanSides {
  readonly declared: readonly ToolDeclaration[];
  /** Tools that calls in the history name, declared or not. */
  readonly used: readonly ToolName[];
  readonly choice: ToolChoice | undefined;
}

export function planTools(input: PlanInput): ToolCompatibilityPlan {
  const inventory = takeInventory(input.declared, input.used);
  if ('problem' in inventory) return failedPlan(input, { code: 'contradictory_tools', message: inventory.problem });
  const { declarations, gone } = inventory;
  const collaboration = readCollaboration(declarations);
  if ('problem' in collaboration) return failedPlan(input, { code: 'ambiguous_collaboration', message: collaboration.problem });
  const forms = new Map<string, FormChoice>();
  for (const tool of [...declarations, ...gone]) forms.set(toolKey(tool), chooseForm(tool, input));
  const aliases = assignAll({ declarations, gone }, forms, input);
  const plannedOf = (tool: ToolName): PlannedTool | undefined => plannedTool(tool, forms, aliases);
  const entries = declarations.map(declaration => entryOf(declaration, plannedOf(declaration), { ...input, form: forms.get(toolKey(declaration)) }));
  const left = new Set(entries.filter(entry => entry.planned !== undefined).map(entry => toolKey(entry.declaration)));
  const failure = aliasFailure(aliases) ?? checkChoice(input.choice, { declared: new Set(declarations.map(toolKey)), left });
  return {
    entries: failure === undefined ? entries : entries.map(entry => demanded(entry, input.choice)),
    collaboration: collaboration.version,
    choice: input.choice,
    unchanged: entries.every(entry => entry.disposition === 'native') && gone.every(tool => keepsName(plannedOf(tool))),
    failure,
    ...buildLookUp([...declarations, ...gone].map(plannedOf).filter(tool => tool !== undefined)),
  };
}

const failedPlan = ({ choice }: PlanInput, failure: PlanFailure): ToolCompatibilityPlan => ({
  entries: [],
  collaboration: 'none',
  choice,
  unchanged: false,
  failure,
  ...buildLookUp([]),
});

const aliasFailure = ({ collision }: AliasTable): PlanFailure | undefined =>
  collision === undefined ? undefined : { code: 'alias_collision', message: `${collision}.` };

const keepsName = (planned: PlannedTool | undefined): boolean => planned?.form === 'same' && planned.alias === planned.tool.name;

interface AllTools {
  readonly declarations: readonly ToolDeclaration[];
  readonly gone: readonly ToolName[];
}

/** Hosted tools keep their own wire object and need no name; children of a native namespace keep theirs beside it. */
function assignAll({ declarations, gone }: AllTools, forms: ReadonlyMap<string, FormChoice>, { facts }: PlanInput): AliasTable {
  const formOf = (tool: ToolName): ToolForm => forms.get(toolKey(tool))?.form ?? 'none';
  const ownSpace = (tool: ToolName): boolean => tool.kind === 'hosted' || (tool.namespace !== undefined && formOf(tool) === 'same');
  const wish =
    (declared: boolean) =>
    (tool: ToolName): AliasWish => ({ tool, keepsName: formOf(tool) === 'same', declared });
  const wishes = [...declarations.map(wish(true)), ...gone.map(wish(false))].filter(({ tool }) => formOf(tool) !== 'none');
  const table = assignAliases(
    wishes.filter(({ tool }) => !ownSpace(tool)),
    nameRule(facts),
  );
  const byTool = new Map(table.byTool);
  for (const { tool } of wishes) if (ownSpace(tool)) byTool.set(toolKey(tool), tool.name);
  return { byTool, collision: table.collision };
}

function plannedTool(tool: ToolName, forms: ReadonlyMap<string, FormChoice>, aliases: AliasTable): PlannedTool | undefined {
  const form = forms.get(toolKey(tool))?.form ?? 'none';
  const alias = aliases.byTool.get(toolKey(tool));
  if (form === 'none' || alias === undefined) return undefined;
  return { tool, form, alias };
}

function entryOf(declaration: ToolDeclaration, planned: PlannedTool | undefined, { form, facts }: PlanSides & { form: FormChoice | undefined }): PlanEntry {
  const reason = form?.reason ?? '';
  if (planned === undefined) {
    return { declaration, disposition: 'omit', reason: form?.form === 'none' ? reason : 'no name that the route allows can stand for it', planned };
  }
  if (planned.form !== 'same') return { declaration, disposition: 'adapt', reason, planned };
  if (planned.alias !== declaration.name)
    return { declaration, disposition: 'adapt', reason: 'its name is not legal upstream; it goes with an alias', planned };
  const moved = (declaration.source === 'additional_tools' && !facts.additional_tools) || (declaration.source === 'tool_search_output' && !facts.tool_search);
  return moved
    ? { declaration, disposition: 'adapt', reason: `declared in ${declaration.source}, which the route does not read; it moves to tools`, planned }
    : { declaration, disposition: 'native', reason, planned };
}

/** The tool that a failed choice demands says so in its own row. */
function demanded(entry: PlanEntry, choice: ToolChoice | undefined): PlanEntry {
  if (entry.planned !== undefined || choice === undefined) return entry;
  const key = toolKey(entry.declaration);
  const wanted =
    choice.mode === 'required' ||
    (choice.mode === 'named' && toolKey(choice.tool) === key) ||
    (choice.mode === 'allowed' && choice.tools.some(tool => toolKey(tool) === key));
  return wanted ? { ...entry, disposition: 'required_but_unavailable' } : entry;
}
