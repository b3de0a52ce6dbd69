import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SIGNATURE_FORMATS } from '../../../../sandbox/options.mts';
import { root } from '../../../../scripts/lib/places.mts';
import { startClient } from '../../client.mts';
import { webhookOn } from '../../objects.mts';
import { startWebhookReceiver } from '../../webhookReceiver.mts';

const SECRET = 'ключ-secret';

/** A received delivery, and whether it is genuine. */
type Case = { what: string; body: string; signature: string; genuine: boolean };

/** Collects deliveries in each signature format, and falsifications of them. */
async function deliveries(): Promise<Case[]> {
	const cases: Case[] = [];
	for (const signatureFormat of SIGNATURE_FORMATS) {
		const service = await startClient({ signatureFormat });
		const receiver = await startWebhookReceiver();
		const id = await webhookOn(service, service.seed.campaigns.active, receiver.url, { webhook_secret: SECRET });
		for (const tamper of [undefined, 'body', 'signature', 'secret']) {
			await service.control('deliver', { webhookId: id, event: 'campaign.paused', data: { note: 'é😀' }, tamper });
			const { raw: body, headers } = receiver.received.at(-1)!;
			const signature = String(headers['x-webhook-signature']);
			const what = `${signatureFormat}, ${tamper ? `altered ${tamper}` : 'as it was sent'}`;
			cases.push({ what, body, signature, genuine: tamper === undefined });
		}
		const { body, signature } = cases.at(-4)!;
		const old = signature.replace(/^t=\d+/, 't=1700000000');
		for (const other of [
			...(old === signature ? [] : [old]),
			'',
			'x',
			signature.slice(0, -1),
			`${signature}0`,
			'ä',
			'0'.repeat(64),
			'sha256=',
			't=1,v1=',
		]) {
			cases.push({ what: `${signatureFormat}: ${other}`, body, signature: other, genuine: false });
		}
		receiver.close();
		await service.close();
	}
	return cases;
}

/** Returns a code block of docs/reference/signatures.md. */
function blockOf(language: string): string {
	const page = readFileSync(join(root, 'docs', 'reference', 'signatures.md'), 'utf8');
	const [, block] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(page) ?? [];
	return block!;
}

/** By language of the page: the program, its arguments, and the code that calls the block's function for each case. */
const PROGRAMS = {
	python: [
		'python3',
		['-c'],
		`
import json, sys
print(json.dumps([is_genuine(one["body"].encode(), one["signature"], "${SECRET}") for one in json.load(sys.stdin)]))
`,
	],
	js: [
		process.execPath,
		['--input-type=module', '-e'],
		`
import { readFileSync } from 'node:fs';
const cases = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map((one) => isGenuine(Buffer.from(one.body), one.signature, '${SECRET}'))));
`,
	],
} as const;

describe('the code in docs/reference/signatures.md', () => {
	let cases: Case[];
	beforeAll(async () => {
		cases = await deliveries();
	});

	const hasPython = spawnSync('python3', ['--version']).status === 0;
	for (const [language, [program, args, main]] of Object.entries(PROGRAMS)) {
		// In CI a missing Python is a failure.
		const isThere = language !== 'python' || hasPython || process.env.CI !== undefined;
		const name = `in ${language} accepts every delivery as it was sent, in each form, and nothing else`;
		(isThere ? it : it.skip)(isThere ? name : `${name} (not run: this machine has no python3)`, () => {
			const block = blockOf(language);
			expect(block.trim().split('\n')).toHaveLength(10);
			const input = JSON.stringify(cases);
			const { stdout, stderr } = spawnSync(program, [...args, block + main], { input, encoding: 'utf8' });
			expect(stderr).toBe('');
			const found = JSON.parse(stdout) as boolean[];
			const wrong = cases.filter(({ genuine }, index) => found[index] !== genuine);
			expect([found.length, wrong]).toEqual([cases.length, []]);
		});
	}
});
