import type { AgentDocument, DocumentAction, keyedSections } from './document';

type Section = keyof Pick<AgentDocument, 'settings' | 'voice' | (typeof keyedSections)[number]>;

/** A field that can be written and is in no response of the service. */
export interface UnreadableField {
	/** The section of the document. */
	section: Section;
	field: string;
	/** The types of actions that have it; undefined for all. */
	types?: ReadonlyArray<DocumentAction['type']>;
	/** Whether its value must never be shown. */
	isSecret?: true;
	/**
	 * What the field is where something is created without it, as documented; undefined where it has no default. An update
	 * of a webhook without it keeps what there is. What an update of an action does is not documented.
	 */
	becomes?: string;
	/** Why it is not readable, or what else is to know; a sentence. */
	note: string;
}

const CREATION = 'Only the creation of an agent sets it.';

const atCreation = [
	'endpointing_sensitivity',
	'ivr_navigation_mode',
	'idle_time_seconds',
	'max_idle_check_count',
	'max_call_duration_seconds',
	'say_goodbye_on_max_duration',
	'user_inactivity_timeout_seconds',
	'initial_idle_time_seconds',
	'initial_max_idle_check_count',
	'enable_recording',
].map((field): UnreadableField => ({ section: 'settings', field, note: CREATION }));

/** Everything in a document that the service does not return. */
export const unreadableFields: readonly UnreadableField[] = [
	...atCreation,
	{
		section: 'voice',
		field: 'ambient_volume',
		becomes: '1',
		note: 'Every change of the voice sets it.',
	},
	{
		section: 'actions',
		field: 'node_id',
		note: 'It identifies the action. Without it, the key in the document is used.',
	},
	{ section: 'actions', field: 'integration', becomes: 'none', note: 'The external system that the action uses.' },
	{ section: 'actions', field: 'authorization_scheme', becomes: '`none`', note: 'For requests to the URL.' },
	{
		section: 'actions',
		field: 'custom_headers',
		isSecret: true,
		becomes: 'none',
		note: 'The values are secrets.',
	},
	{ section: 'actions', field: 'speak_on_send', becomes: 'none', note: 'Spoken before the request.' },
	{ section: 'actions', field: 'speak_on_receive', becomes: 'none', note: 'Spoken after the response.' },
	{
		section: 'actions',
		field: 'execution_mode',
		types: ['external'],
		becomes: '`during_call`',
		note: 'Only actions of the type external have it.',
	},
	{
		section: 'trainings',
		field: 'node_id',
		note: 'It identifies the training. Without it, the key in the document is used.',
	},
	{ section: 'webhooks', field: 'webhook_secret', isSecret: true, note: 'It is a secret.' },
	{ section: 'webhooks', field: 'http_method', becomes: '`POST`', note: 'The method of deliveries.' },
	{ section: 'webhooks', field: 'authorization_scheme', becomes: '`none`', note: 'For deliveries.' },
	{
		section: 'webhooks',
		field: 'custom_headers',
		isSecret: true,
		becomes: 'none',
		note: 'The values are secrets.',
	},
	{ section: 'webhooks', field: 'payload_templates', becomes: 'none', note: 'The bodies of deliveries.' },
];

/** The unreadable fields of one member of a section. @param type of an action */
export function unreadableIn(section: string, type?: string): UnreadableField[] {
	return unreadableFields.filter(
		(field) => field.section === section && (field.types === undefined || field.types.some((each) => each === type)),
	);
}

/** Whether a path is that of a field that the service never returns. */
export function isUnreadable(path: string): boolean {
	const keys = path.split('.');
	const [section, field] = [keys[0], keys.at(-1)];
	return unreadableFields.some((each) => each.section === section && each.field === field);
}
