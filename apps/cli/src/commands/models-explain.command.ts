/** `weir models explain`: the route of a request and what happens to each of its tools (MOD-18), without sending it. */
import { EXIT, type ExitCode } from '@weir/contract';
import { planRoute } from '@weir/model-gateway';
import { clientError } from '@weir/wire';
import { type Options, textOf } from '../action.ts';
import { givenFlags } from '../flags.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { sha256 } from '../gateway/real-time.ts';
import { writeJson, writeOut } from '../output.ts';
import { readText } from '../provider/call-arguments.ts';
import { protocolNamed } from './debug-convert.command.ts';

/** Exit code 1 where the request would be refused. */
export async function runModelsExplain(options: Options, signal: AbortSignal): Promise<ExitCode> {
  const protocol = protocolNamed(options['from'], '--from');
  const body = Buffer.from(await readText('-', signal));
  const binding = textOf(options, 'provider');
  return withOperatorStores(givenFlags(options), async ({ stores }) => {
    const answer = planRoute({ protocol, body, ...(binding === undefined ? {} : { binding }) }, await stores.config.rows(), sha256);
    if (!('plan' in answer)) {
      const { status, body: error } = clientError(protocol, answer.failure);
      if (options['json'] === true) await writeJson({ error: { status, body: error }, tools: answer.tools });
      else await writeOut(`refused with ${status}: ${answer.failure.code}: ${answer.failure.message}\n`);
      return EXIT.findings;
    }
    const { plan } = answer;
    if (options['json'] === true) await writeJson(plan);
    else {
      const { route, client, passthrough, tools, diagnostics } = plan;
      await writeOut(`${client} -> ${route.modelProvider}/${route.model}: ${route.upstreamModel} at ${route.endpoint} (${route.protocol}, ${route.pricing})\n`);
      await writeOut(passthrough ? 'the body passes as it came\n' : 'the body is converted\n');
      for (const { namespace, name, kind, disposition, alias, reason } of tools) {
        const full = namespace === null ? name : `${namespace}/${name}`;
        await writeOut(`  ${disposition.padEnd(8)} ${full} (${kind})${alias === null || alias === name ? '' : ` as ${alias}`}: ${reason}\n`);
      }
      for (const { code, message, count } of diagnostics) await writeOut(`  note ${code}: ${message}${count === 1 ? '' : ` (${count} times)`}\n`);
    }
    return EXIT.clean;
  });
}
