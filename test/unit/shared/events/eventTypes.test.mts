import type { INodePropertyOptions } from 'n8n-workflow';

import {
	agentEvents,
	campaignEvents,
	eventName,
	eventTypesFor,
	loggedAgentEvents,
	loggedCampaignEvents,
} from '../../../../nodes/shared/events/eventTypes.ts';
import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventTypes.mts';

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

	test.each(Object.entries(menus))(
		'are sorted, without repetition, and show type and meaning in one line: %s',
		(_name, options) => {
			const names = options.map(({ name }) => name);
			expect(names).toEqual([...new Set(names)].sort((one, other) => one.localeCompare(other)));
			expect(new Set(valuesOf(options)).size).toBe(options.length);
			for (const { value, description = '' } of options) {
				expect(description).toMatch(new RegExp(`^'${value}': [a-z].{1,110}[^.]$`));
			}
		},
	);

	test('name each event type the same everywhere', () => {
		const all = Object.values(menus).flat();
		for (const { name, value } of all.filter((option) => option.value !== 'webhook.test')) {
			expect(eventName(String(value))).toBe(name);
		}
	});
});

test('The name of an event type is the one in the editor, or the type itself if no menu has it', () => {
	const types = ['campaign_call.completed', 'event_phone_call_did_not_connect', 'a.kind.of.tomorrow', 'constructor'];
	const names = ['Campaign Call Completed', 'Phone Call Did Not Connect', 'a.kind.of.tomorrow', 'constructor'];
	expect(types.map(eventName)).toEqual(names);
});

test('Event types can be given as a list or as text, separated by commas, semicolons, blanks or lines', () => {
	expect(eventTypesFor(['a.b, c.d;e.f', 'c.d\n g.h ', ''])).toEqual(['a.b', 'c.d', 'e.f', 'g.h']);
});
