import type { IHookFunctions, INodeProperties } from 'n8n-workflow';

import { invalid } from '../../shared/errors/serviceError';
import { agentEvents } from '../../shared/fields/eventKinds';
import { campaignEventsField, eventsField } from '../../shared/fields/events';
import { choice, onlyFor, sentAs } from '../../shared/fields/field';
import { propertiesOf, sorted } from '../../shared/fields/properties';
import { loadZod, readFields } from '../../shared/fields/readFields';
import { includeCallEvents } from '../../shared/fields/webhooks';
import { agent, campaign } from '../../shared/pickers/locators';
import { KEY_HEADER } from '../registration/deliveryKeys';
import { deliveryOptions, registeredOptions, requireHeader } from './options';

/** Where the events come from: the first part of the paths, and the code of one that is not there. */
export const sources = {
	agent: { collection: 'agents', noOwner: 'AGENT_NOT_FOUND' },
	campaign: { collection: 'campaigns', noOwner: 'CAMPAIGN_NOT_FOUND' },
} as const;

export type Source = keyof typeof sources;

/** Whose webhook it is. */
export interface Owner {
	source: Source;
	ownerId: string;
}

const source = choice('source', {
	displayName: 'Source',
	name: 'source',
	noDataExpression: true,
	options: [
		{
			name: 'Agent',
			value: 'agent',
			description: 'What happens in every call of a voice agent, inbound ones too',
		},
		{
			name: 'Campaign',
			value: 'campaign',
			description: 'What happens to a campaign and its calls; reports and transcripts too',
		},
	],
	default: 'campaign',
	description: 'Whose events start the workflow',
});

/** By default the three ends that a call can have. */
const agentEventsField = eventsField({
	displayName: 'Trigger On',
	options: agentEvents,
	default: ['event_phone_call_did_not_connect', 'event_phone_call_ended', 'event_phone_call_error'],
	description: 'The kinds of event to deliver',
});

const fields = [
	source,
	onlyFor('source', ['campaign'], sentAs('ownerId', campaign)),
	onlyFor('source', ['agent'], sentAs('ownerId', agent)),
	onlyFor('source', ['campaign'], campaignEventsField('Trigger On')),
	onlyFor('source', ['agent'], agentEventsField),
	onlyFor('source', ['campaign'], includeCallEvents),
] as const;

const options = [...registeredOptions, requireHeader, ...deliveryOptions];

/** All that the trigger asks for. */
export const properties: INodeProperties[] = [
	...fields.flatMap((field) => propertiesOf(field)),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: sorted(options.flatMap((field) => field.properties)),
	},
];

/** A webhook as the service is to have it; every setting is there, so that an update resets the rest. */
export interface Settings {
	name: string;
	webhook_url: string;
	events: string[];
	/** Of a campaign only. */
	include_call_events?: boolean;
	enabled: boolean;
	http_method: string;
	timeout: number;
	max_retries: number;
	authorization_scheme: string;
	custom_headers: Array<{ key: string; value: string }>;
}

/** What the user has chosen. */
export interface Chosen extends Owner {
	settings: Settings;
	/** Whether a delivery has to carry the random header. */
	requireHeader: boolean;
}

/** Wherever n8n lets the node read its parameters. */
type SettingsReader = Pick<IHookFunctions, 'getNode' | 'getNodeParameter' | 'getTimezone' | 'getWorkflow'>;

/**
 * Reads what the webhook of this node is to be like.
 *
 * @param url the address that n8n serves for the node, test or production; empty where it does not matter
 * @throws ServiceError `INVALID_INPUT`
 */
export async function readSettings(caller: SettingsReader, url: string): Promise<Chosen> {
	const zod = await loadZod();
	const parameters = {
		get: (parameter: string) => caller.getNodeParameter(parameter),
		startedByHand: false,
		asTool: false,
		timezone: caller.getTimezone(),
	};
	const {
		source: from,
		ownerId,
		events,
		...chosen
	} = readFields(zod, fields, { options: registeredOptions }, parameters).input;
	// Read at each delivery, but checked now: publishing is when somebody looks.
	const { requireHeader: required = false } = readFields(
		zod,
		[],
		{ options: [requireHeader, ...deliveryOptions] },
		parameters,
	).input;
	const name = `n8n: ${caller.getWorkflow().name ?? 'workflow'}, ${caller.getNode().name}`;
	const defaults = {
		name: name.slice(0, 255),
		webhook_url: url,
		enabled: true,
		http_method: 'POST',
		timeout: 30,
		max_retries: 3,
		authorization_scheme: 'none',
		custom_headers: [],
	};
	const settings: Settings = { ...defaults, events: events ?? [], ...chosen };
	if (required === true) {
		assertNotTaken(settings);
	}
	return { source: from, ownerId: ownerId ?? '', settings, requireHeader: required === true };
}

/** @throws ServiceError when the user's own headers have the one that gets the random value */
function assertNotTaken({ custom_headers: own }: Settings): void {
	if (own.every(({ key }) => key.toLowerCase() !== KEY_HEADER.toLowerCase())) {
		return;
	}
	throw invalid(
		`'Extra Headers' has ${KEY_HEADER}, which 'Require Random Header' fills itself`,
		'Give your header another name, or leave that option out.',
	);
}
