import { inspect } from 'node:util';

import { listSearch, loadOptions } from '../../nodes/shared/pickers/listSearch.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { harness } from './harness.mts';
import { planted, startIndiscreetService } from './indiscreet.mts';
import { pickerRequest, placeOf } from './pickerRequest.mts';
import { makeRuns } from './schemaRuns/run.mts';
import type { Service } from './service.mts';

let service: Service;
beforeAll(async () => {
	service = await startIndiscreetService();
});

/** A value as text: as JSON, and with the properties that JSON omits. */
const everything = (value: unknown) =>
	`${JSON.stringify(value)}${inspect(value, { depth: 12, showHidden: true, maxStringLength: null })}`;

const shownIn = (value: unknown) => {
	const text = everything(value);
	return Object.entries(planted).flatMap(([name, word]) => (text.includes(word) ? [name] : []));
};

test.each(resources.map(({ value }) => [value] as const))(
	'no operation of %s stores a private word of an answer in its execution or the log',
	async (resource) => {
		const shown: Record<string, string[]> = {};
		const run = service.run.bind(service);
		service.run = async (parameters, ...rest) => {
			const { length } = harness.logLines;
			const made = await run(parameters, ...rest);
			const found = shownIn([made, harness.logLines.slice(length)]);
			if (found.length > 0) {
				shown[String(parameters?.operation)] = found;
			}
			return made;
		};
		try {
			await makeRuns(service, resource);
		} finally {
			service.run = run;
		}
		expect(shown).toEqual({});
	},
);

test('no picker and no menu shows a private word of an answer: n8n stores the name of what is chosen', async () => {
	await service.reset();
	const webhook_url = `https://ada:${planted.token}@example.com/hook?key=${planted.resumeToken}`;
	const shown: Record<string, string[]> = {};
	const empty: string[] = [];
	const look = (method: string, entries: unknown[]) => {
		const found = shownIn([entries, harness.logLines]);
		if (found.length > 0) {
			shown[method] = found;
		}
		if (entries.length === 0) {
			empty.push(method);
		}
	};
	// The files of a campaign are only in a menu.
	for (const method of Object.keys(listSearch).filter((one) => placeOf(one).operation !== undefined)) {
		look(method, (await harness.listSearch(await pickerRequest(service, method, webhook_url))).results);
	}
	for (const method of Object.keys(loadOptions)) {
		look(method, await harness.loadOptions(await pickerRequest(service, method, webhook_url)));
	}
	expect(shown).toEqual({});
	// The sandbox has nothing in these lists.
	expect(empty).toEqual([
		'searchAgentWebhookDeliveries',
		'searchCampaignWebhookDeliveries',
		'searchTriggers',
		'getAdditionalEvents',
		'getCampaignFiles',
	]);
});
