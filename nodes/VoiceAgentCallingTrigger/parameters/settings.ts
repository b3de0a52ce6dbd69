import type { IHookFunctions, INodeProperties } from 'n8n-workflow';

import { invalid } from '../../shared/errors/serviceError';
import {
	additionalEvents,
	CAMPAIGN_DEFAULT,
	deliveredEvents,
	requiredEventsField,
	withAdditionalEvents,
} from '../../shared/fields/events';
import { type FieldSource, type InputOf, onlyFor, reworded, sentAs } from '../../shared/fields/field';
import { idList } from '../../shared/fields/kinds';
import { propertiesOf } from '../../shared/fields/properties';
import { loadZod, readFields } from '../../shared/fields/readFields';
import { bySource, sourceChoice } from '../../shared/fields/source';
import { extraHeaders, includeCallEvents } from '../../shared/fields/webhooks';
import { sorted } from '../../shared/lib/collections';
import { hasExpression, storedValue } from '../../shared/lib/expressions';
import type { Owner, OwnerType, VerifyBy } from '../../shared/owner';
import { agent, campaign } from '../../shared/pickers/locators';
import type { CustomHeader } from '../../shared/triggerSecrets/deliverySecret';
import { deliveryOptions } from './options';

const sendingCampaign = reworded(campaign, {
	description: 'The campaign whose events start the workflow. The list shows the status of each.',
	hint: 'A completed or cancelled campaign starts no more calls; only events of calls in progress still arrive',
});

/**
 * The choice of agent or campaign. n8n's list of triggers shows the options of one parameter, found by this name; a
 * list of events could only offer the events of agents or of campaigns, not both.
 */
const triggerOn = sourceChoice(
	{ displayName: 'Trigger On' },
	{ agent: 'Agent Call Event', campaign: 'Campaign Event' },
);

/**
 * By default the two events that end a call of a campaign, or the three that can end a call of an agent and the one that
 * tells a voicemail from a person.
 */
const events = requiredEventsField(
	{
		displayName: 'Events',
		options: deliveredEvents,
		description: 'The events that start the workflow',
		hints: {
			agent:
				'Also for its calls in campaigns: filter by campaign_id. Voicemail Detected comes in addition to the end of the call.',
		},
	},
	{
		agent: [
			'event_phone_call_did_not_connect',
			'event_phone_call_ended',
			'event_phone_call_error',
			'event_voicemail_detected',
		],
		campaign: CAMPAIGN_DEFAULT,
	},
);

/** The parameters outside Options. */
export const fields = [
	triggerOn,
	...bySource({
		agent: sentAs('ownerId', reworded(agent, { description: 'The voice agent whose events start the workflow' })),
		campaign: sentAs('ownerId', sendingCampaign),
	}),
	events,
] as const;

/** The most campaigns or agents that can be chosen: each has a webhook of its own. */
const MAX_CHOSEN = 20;

/** More owners of the same type as the owner that is chosen above the options. */
function additionalOwners(
	ownerType: OwnerType,
	property: { displayName: string; name: string; loadOptionsMethod: string },
) {
	const { loadOptionsMethod, ...names } = property;
	const description = `More ${ownerType}s whose events start the workflow, up to ${MAX_CHOSEN} in total. The field 'webhookOwner' of an event names its owner. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`;
	const list = idList(
		'additional_owners',
		{ ...names, typeOptions: { loadOptionsMethod }, description },
		{ uuid: false },
	);
	return onlyFor('source', [ownerType], list);
}

const additionalCampaigns = additionalOwners('campaign', {
	displayName: 'Additional Campaign Names or IDs',
	name: 'additionalCampaigns',
	loadOptionsMethod: 'getCampaigns',
});

const additionalAgents = additionalOwners('agent', {
	displayName: 'Additional Agent Names or IDs',
	name: 'additionalAgents',
	loadOptionsMethod: 'getAgents',
});

/** The options that are registered with the service. */
const registered = [
	additionalAgents,
	additionalCampaigns,
	additionalEvents,
	onlyFor('source', ['campaign'], includeCallEvents),
	extraHeaders,
] as const;

/** The parameters in Options. */
export const options = [...registered, ...deliveryOptions];

/** The parameters of the trigger. */
export const properties: INodeProperties[] = [
	...fields.flatMap((field) => propertiesOf(field)),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: sorted(options.flatMap((field) => propertiesOf(field, '/'))),
	},
];

/** The settings of a webhook. All of them are sent, so that an update resets those that the user has not set. */
interface WebhookSettings {
	name: string;
	webhook_url: string;
	events: string[];
	/** For a campaign only. */
	include_call_events?: boolean;
	enabled: boolean;
	http_method: string;
	max_retries: number;
	authorization_scheme: string;
	/** Without the secret header. */
	custom_headers: CustomHeader[];
	payload_templates: Record<string, unknown>;
}

/** The parameters that are registered with the service. */
export interface TriggerSettings {
	ownerType: OwnerType;
	/** The chosen campaigns or agents, at least one, without duplicates. */
	chosen: Owner[];
	verifyBy: VerifyBy;
	/** The settings of each webhook, with the URL of the trigger: each webhook has a URL of its own, see `ownerUrl`. */
	settings: WebhookSettings;
}

/** The part of n8n's contexts that reads parameters. */
type SettingsReader = Pick<IHookFunctions, 'getNode' | 'getNodeParameter' | 'getTimezone' | 'getWorkflow'>;

/** Returns the source from which the node's parameters are read. */
function sourceOf(caller: SettingsReader): FieldSource {
	const { parameters: stored } = caller.getNode();
	return {
		get: (parameter) => caller.getNodeParameter(parameter),
		rootMode: undefined,
		asTool: false,
		isConstant: (parameter, member) => !hasExpression(storedValue(stored, parameter, member)),
		timezone: caller.getTimezone(),
	};
}

/**
 * Reads and checks the options for deliveries. Missing options are undefined.
 *
 * @throws ServiceError `INVALID_INPUT`
 */
export async function readDeliveryOptions(caller: SettingsReader): Promise<Partial<InputOf<typeof deliveryOptions>>> {
	return readFields(await loadZod(), [], { options: deliveryOptions }, sourceOf(caller)).input;
}

/**
 * Reads and checks the parameters of the node.
 *
 * @param url the webhook URL, test or production; empty if the caller does not use it
 * @throws ServiceError `INVALID_INPUT`
 */
export async function readSettings(caller: SettingsReader, url: string): Promise<TriggerSettings> {
	const zod = await loadZod();
	const parameters = sourceOf(caller);
	const {
		ownerType: from,
		ownerId,
		additional_owners: additional = [],
		...entered
	} = readFields(zod, fields, { options: registered }, parameters).input;
	const chosen = [...new Set([ownerId, ...(additional as string[])])].map((id) => ({ ownerType: from, ownerId: id }));
	if (chosen.length > MAX_CHOSEN) {
		throw invalid(
			`${chosen.length} ${from}s are chosen, but a trigger can receive the events of ${MAX_CHOSEN} only`,
			'Choose fewer, or use another trigger for the others.',
		);
	}
	// The delivery options are checked here as well, so that the user sees an error when publishing.
	const { verifyBy = 'signature' } = await readDeliveryOptions(caller);
	const name = `n8n: ${caller.getWorkflow().name ?? 'workflow'}, ${caller.getNode().name}`;
	const defaults = {
		name: name.slice(0, 255),
		webhook_url: url,
		enabled: true,
		http_method: 'POST',
		max_retries: 10,
		authorization_scheme: 'none',
		custom_headers: [],
		payload_templates: {},
		...(from === 'campaign' && { include_call_events: false }),
	};
	const settings: WebhookSettings = {
		...defaults,
		...withAdditionalEvents(entered),
	};
	return { ownerType: from, chosen, verifyBy, settings };
}
