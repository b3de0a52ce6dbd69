// Temporary: pictures of the output panel.
import { mkdirSync } from 'node:fs';

import { type EditorPage, withEditor } from './browser.mts';
import { byId, type Instance } from './instance.mts';

const out = '/tmp/look';
mkdirSync(out, { recursive: true });
let n8n: Instance;
let editor: EditorPage;
let seed: any;
withEditor(async (...opened) => {
	[editor, n8n] = opened;
	({ data: seed } = await n8n.service.get('/_sandbox/seed'));
	await editor.page.setViewportSize({ width: 1280, height: 800 });
});

const names = ['Ada Byrne', 'Ben Costa', 'Cleo Diaz', 'Dan Evers', 'Eva Fox', 'Finn Gray', 'Gia Hale'];
const code = (count: number) =>
	`return Array.from({length: ${count}}, (_, i) => ({ json: { name: ${JSON.stringify(names)}[i % 7], phone: i % 14 === 2 ? '030 12' : '+44207946' + String(1000 + (i % 70 === 3 ? 1 : i)).padStart(4,'0'), contact_id: 'C-' + i } }))`;

test.each([
	['place', 1],
	['place', 5],
	['place', 500],
	['queueCall', 1],
	['queueCall', 5],
	['queueCall', 500],
	['placeAndWait', 5],
	['placeAndWait', 500],
	['queueCallAndWait', 5],
	['checkBeforeCalling', 5],
	['checkBeforeCalling', 500],
	['paused', 500],
] as const)(
	'%s %i',
	async (operation, count) => {
		const isCampaign = operation.startsWith('queue') || operation === 'paused';
		const list = n8n.node('Contacts', 'n8n-nodes-base.code', 2, { jsCode: code(count) });
		const panel = await editor.openOperation(
			{
				resource: isCampaign ? 'campaign' : 'call',
				operation: operation === 'paused' ? 'queueCall' : operation,
				...(isCampaign
					? { campaign: byId(operation === 'paused' ? seed.campaigns.paused : seed.campaigns.active) }
					: { agent: byId(seed.agents.published) }),
				phoneNumber: '={{ $json.phone }}',
				testCall: count > 100 ? 'always' : 'automatic',
				...(operation.endsWith('AndWait') && { waitBy: 'polling' }),
				options: {
					metadataFields: {
						values: [
							{ name: 'name', value: '={{ $json.name }}' },
							{ name: 'contact', value: '={{ $json.contact_id }}' },
						],
					},
					missingVariables: 'ignore',
					...(operation.endsWith('AndWait') && {
						pollInterval: 5,
						timeLimit: { values: { amount: 20, unit: 'seconds' } },
					}),
				},
			},
			[list],
			{ onError: 'continueRegularOutput' } as never,
		);
		await panel.execute();
		await editor.page.waitForTimeout(operation.endsWith('AndWait') ? 30_000 : count > 100 ? 15_000 : 3000);
		await editor.page.screenshot({ path: `${out}/${operation}-${count}.png` });
	},
	120_000,
);
