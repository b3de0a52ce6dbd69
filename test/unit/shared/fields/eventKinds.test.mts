import type { INodePropertyOptions } from 'n8n-workflow';

import {
	agentEvents,
	campaignEvents,
	eventKinds,
	eventName,
	loggedAgentEvents,
	loggedCampaignEvents,
} from '../../../../nodes/shared/fields/eventKinds.ts';
import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';

const valuesOf = (options: INodePropertyOptions[]) => options.map(({ value }) => String(value));
const menus = { agentEvents, campaignEvents, loggedAgentEvents, loggedCampaignEvents };

describe('The menus of event types', () => {
	test('have every event of an agent that the sandbox can deliver', () => {
		expect(valuesOf(agentEvents).toSorted()).toEqual(AGENT_EVENTS.toSorted());
	});

	test('have every event of a campaign that the sandbox can deliver, except its creation, before which it has no webhook', () => {
		const canArrive = CAMPAIGN_EVENTS.filter((event) => event !== 'campaign.created');
		expect(valuesOf(campaignEvents).toSorted()).toEqual(canArrive.toSorted());
	});

	test('have for each log what can be in it: for a campaign the events inside its calls, for an agent its test', () => {
		const insideCalls = valuesOf(agentEvents);
		expect(new Set(valuesOf(loggedCampaignEvents))).toEqual(new Set([...valuesOf(campaignEvents), ...insideCalls]));
		expect(new Set(valuesOf(loggedAgentEvents))).toEqual(new Set([...insideCalls, 'webhook.test']));
	});

	test.each(Object.entries(menus))('are sorted and have no entry twice: %s', (_name, options) => {
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...new Set(names)].sort((one, other) => one.localeCompare(other)));
		expect(new Set(valuesOf(options)).size).toBe(options.length);
	});

	test.each(Object.entries(menus))('show the type and what happened, in one short line: %s', (_name, options) => {
		for (const { value, description = '' } of options) {
			expect(description).toMatch(new RegExp(`^'${value}': [a-z].+[^.]$`));
			expect(description.length).toBeLessThanOrEqual(120);
		}
	});

	test('name each event type the same everywhere', () => {
		for (const { name, value } of Object.values(menus)
			.flat()
			.filter(({ value }) => value !== 'webhook.test')) {
			expect(eventName(String(value))).toBe(name);
		}
	});
});

test('The name of an event type is the one in the editor, or the type itself if no menu has it', () => {
	expect(eventName('campaign_call.completed')).toBe('Campaign Call Completed');
	expect(eventName('event_phone_call_did_not_connect')).toBe('Phone Call Did Not Connect');
	expect(eventName('a.kind.of.tomorrow')).toBe('a.kind.of.tomorrow');
	expect(eventName('constructor')).toBe('constructor');
});

test('Event types can be given as a list or as text, separated by commas, semicolons, blanks or lines', () => {
	expect(eventKinds(['a.b, c.d;e.f', 'c.d\n g.h ', ''])).toEqual(['a.b', 'c.d', 'e.f', 'g.h']);
});
