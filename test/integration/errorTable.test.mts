import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodies, otherCodes, refusals, tokens } from './errorTable/answers.mts';
import { connections, outcomes } from './errorTable/connections.mts';
import { credentialTest } from './errorTable/credentialTest.mts';
import { credentialValues, inputs, toolRefusals } from './errorTable/inputs.mts';
import { operations, Provoker } from './errorTable/provoke.mts';
import { answersOfN8n, deliveries, publishing } from './errorTable/receiving.mts';
import { page } from './errorTable/table.mts';
import { startService } from './service.mts';

const file = join(__dirname, '..', '..', 'docs', 'errors.md');

test('docs/errors.md says of each failure what the nodes say', async () => {
	const service = await startService({ token: 'environment-token-of-the-error-table' });
	const provoker = new Provoker(service);
	const all = operations(service);
	const made = page([
		await tokens(provoker, all),
		await refusals(provoker, all),
		await outcomes(provoker, all),
		await connections(provoker, all),
		await inputs(provoker, all),
		await credentialValues(provoker, all),
		await credentialTest(provoker),
		await publishing(provoker),
		await deliveries(provoker),
		answersOfN8n(),
		await toolRefusals(provoker, all),
		await bodies(provoker, all),
		await otherCodes(provoker, all),
	]);
	if (process.env.WRITE_DOCS) writeFileSync(file, made);
	// Line by line, so that a difference shows which failure it is.
	expect(readFileSync(file, 'utf8').split('\n')).toEqual(made.split('\n'));
}, 60_000);
