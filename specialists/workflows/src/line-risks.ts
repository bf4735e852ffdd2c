/**
 * Checks that are certain from the lines in sight, for changes without the whole file and for files that are not YAML.
 * A step or script whose first line is in sight is read as YAML of its own; other lines are judged one by one.
 */
import type { CiFile } from './ci-file.ts';
import { pipelineRisks } from './pipeline-risks.ts';
import type { Risk } from './risk.ts';
import { workflowRisks } from './workflow-risks.ts';
import { itemsOf } from './tree-access.ts';
import { readYaml, type Tree } from './yaml-tree.ts';

export interface SeenLine {
  /** 1-based number on the new side. */
  readonly number: number;
  readonly text: string;
}

/** Bounds of what is worth reading line by line. */
const MAX_LINE = 8_000;
const MAX_BLOCKS = 2_000;

const STEP = /^\s*-\s+(?:name|id|if|uses|run|env|with|shell|working-directory)\s*:/;
const SCRIPT = /^\s*(?:before_|after_)?script\s*:/;
/** Single lines whose meaning needs no neighbour. A `run` that goes on below is left out. */
const ALONE = /^\s*(?:uses|run|permissions|ACTIONS_ALLOW_UNSECURE_COMMANDS)\s*:\s+[^\s|>&*]/;
const ALONE_IN_PIPELINE = /^\s*CI_DEBUG_TRACE\s*:\s+\S/;

const indentOf = (text: string): number => text.length - text.trimStart().length;

/** Index after the last line of the block that starts at `at`: deeper lines that follow without a gap. */
const endOfBlock = (lines: readonly SeenLine[], at: number): number => {
  const indent = indentOf(lines[at]?.text ?? '');
  for (let end = at + 1; end < lines.length; end++) {
    const line = lines[end];
    if (line === undefined || line.number !== (lines[end - 1]?.number ?? 0) + 1) return end;
    if (line.text.trim() !== '' && indentOf(line.text) <= indent) return end;
  }
  return lines.length;
};

/** Reads lines as YAML at their own place in the file. */
const treeOf = (lines: readonly SeenLine[]): Tree | undefined => {
  const [first] = lines;
  if (first === undefined || lines.some(line => line.text.length > MAX_LINE)) return undefined;
  const reading = readYaml(lines.map(line => line.text).join('\n'), first.number);
  return 'documents' in reading ? reading.documents.at(-1) : undefined;
};

const wrap = (key: string, value: Tree): Tree => ({ kind: 'map', line: value.line, entries: [{ key, line: value.line, value }] });

/** Steps are judged like those of an action: nothing is known of the triggers. */
const stepRisks = (steps: Tree): readonly Risk[] => workflowRisks(wrap('runs', wrap('steps', steps)), 'action').risks;

const aloneRisks = (tree: Tree): readonly Risk[] => [
  ...stepRisks({ kind: 'list', line: tree.line, items: [tree] }),
  ...workflowRisks(tree, 'workflow').risks,
  ...workflowRisks(wrap('env', tree), 'workflow').risks,
];

const workflowLineRisks = (lines: readonly SeenLine[], at: number, end: number): readonly Risk[] => {
  const isStep = STEP.test(lines[at]?.text ?? '');
  const tree = treeOf(lines.slice(at, isStep ? end : at + 1));
  if (tree === undefined) return [];
  return isStep ? (itemsOf(tree).length > 0 ? stepRisks(tree) : []) : aloneRisks(tree);
};

const pipelineLineRisks = (lines: readonly SeenLine[], at: number, end: number): readonly Risk[] => {
  const isScript = SCRIPT.test(lines[at]?.text ?? '');
  const tree = treeOf(lines.slice(at, isScript ? end : at + 1));
  if (tree === undefined) return [];
  return pipelineRisks(isScript ? tree : wrap('variables', tree));
};

/** The risks that the lines show by themselves. Their triggers, surroundings and gates are not known. */
export const lineRisks = (lines: readonly SeenLine[], kind: CiFile): readonly Risk[] => {
  const isPipeline = kind === 'pipeline';
  const risks: Risk[] = [];
  let blocks = 0;
  for (let at = 0; at < lines.length && blocks < MAX_BLOCKS; ) {
    const text = (lines[at]?.text ?? '').slice(0, MAX_LINE);
    const starts = (isPipeline ? SCRIPT : STEP).test(text);
    const end = starts ? endOfBlock(lines, at) : at + 1;
    if (starts || (isPipeline ? ALONE_IN_PIPELINE : ALONE).test(text)) {
      blocks++;
      risks.push(...(isPipeline ? pipelineLineRisks : workflowLineRisks)(lines, at, end));
    }
    at = end;
  }
  return risks;
};
