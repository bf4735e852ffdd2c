/**
 * Finds untrusted text that is expanded into code: `run` scripts and inputs of actions that are run as code.
 * Text that arrives through an environment variable of the shell is data and is no risk here.
 */
import { codeInputsOf, type Language } from './code-inputs.ts';
import type { ExpressionPlace } from './expression.ts';
import { exposureOf } from './exposure.ts';
import { type Gate, gateOfStep } from './gate.ts';
import type { Risk } from './risk.ts';
import { rules } from './rules.ts';
import { regionAt, scriptLines } from './script-text.ts';
import { safeRewrite } from './safe-rewrite.ts';
import { entriesOf, scalarOf } from './tree-access.ts';
import { type Analysis, type Arrival, arrivalsIn, type Standpoint } from './value-flow.ts';
import type { Job, Step } from './workflow-model.ts';
import type { ScalarTree } from './yaml-tree.ts';

interface Sink {
  readonly scalar: ScalarTree;
  readonly language: Language;
  /** For people: `the run script`. */
  readonly name: string;
}

const sinksOf = (step: Step): readonly Sink[] => {
  const run: readonly Sink[] = step.run === undefined ? [] : [{ scalar: step.run, language: 'shell', name: 'the run script' }];
  const uses = step.uses?.text ?? '';
  const inputs = codeInputsOf(uses).flatMap(({ input, language }) => {
    const scalar = scalarOf(entriesOf(step.with).find(entry => entry.key.toLowerCase() === input)?.value);
    return scalar === undefined ? [] : [{ scalar, language, name: `the ${input} input of ${uses.split('@')[0]}` }];
  });
  return [...run, ...inputs];
};

/** A JSON text is a JavaScript value of its own, unless it is pasted into a string or template. */
const isJsonValue = (script: string, place: ExpressionPlace): boolean => {
  if (!/^tojson\s*\(/i.test(place.body)) return false;
  const before = script.slice(0, place.start);
  return !/["'`]\s*$/.test(before.slice(-80)) && (before.split('`').length - 1) % 2 === 0;
};

/** Where the shell expands nothing, text without a line feed cannot leave its place. */
const isHarmless = (sink: Sink, { flow, place }: Arrival, lines: ReturnType<typeof scriptLines>): boolean => {
  if (sink.language === 'javascript') return isJsonValue(sink.scalar.text, place);
  return sink.language === 'shell' && !flow.source.multiline && regionAt(lines, place.start) !== 'code';
};

/** `github.event.issue.title → env TITLE (line 7) → ${{ env.TITLE }}` */
export const wayOf = ({ flow, place }: Arrival): string => {
  const hops = flow.hops.map(({ note, line }) => `${note} (line ${line})`);
  return [flow.source.context, ...hops, `\${{ ${place.body.slice(0, 120)} }}`].join(' → ');
};

const ADVICE: Readonly<Record<Language, string>> = {
  shell: 'Put it into an env variable of the step and read that variable, quoted, in the script.',
  javascript: 'Read it inside the script, from context.payload or from process.env, instead of expanding it into the source.',
  other: 'Put it into an env variable of the step and read that variable in the script.',
};

/** A value that is in the environment already needs no second way. */
const adviceOf = (language: Language, body: string): string => {
  const variable = /^env\.([A-Za-z_]\w*)$/i.exec(body)?.[1];
  return variable === undefined || language !== 'shell' ? ADVICE[language] : `Write "$${variable}" instead: the variable is in the environment of the script.`;
};

const riskOf = (analysis: Analysis, sink: Sink, arrival: Arrival, gate: Gate): Risk => {
  const { flow, place } = arrival;
  const { severity, remark, triggers } = exposureOf(flow, analysis.workflow, gate);
  const hops = flow.hops.map(({ line, note }) => ({ line, note: `${note} carries ${flow.source.context}` })).reverse();
  const sentence = `${flow.source.who} sets ${flow.source.context}, and its text becomes part of ${sink.name}: ${wayOf(arrival)}.`;
  return {
    rule: rules.scriptInjection,
    severity,
    sink: { line: sink.scalar.lineAt(place.start), note: `expanded into ${sink.name}` },
    parts: [...hops, ...triggers],
    message: [sentence, remark, adviceOf(sink.language, place.body)].filter(part => part !== '').join(' '),
  };
};

/** The injection risks of one step. */
export const scriptInjections = (analysis: Analysis, job: Job, index: number): readonly Risk[] => {
  const step = job.steps[index];
  if (step === undefined) return [];
  const at: Standpoint = { job, step: index };
  const gate = gateOfStep(analysis.workflow, job, step);
  return sinksOf(step).flatMap(sink => {
    const lines = scriptLines(sink.scalar.text);
    const arrivals = arrivalsIn(analysis, sink.scalar, at).filter(arrival => !isHarmless(sink, arrival, lines));
    const rewrite = sink.scalar === step.run ? safeRewrite(step, job, arrivals) : undefined;
    return arrivals.map(arrival => ({ ...riskOf(analysis, sink, arrival, gate), rewrite }));
  });
};
