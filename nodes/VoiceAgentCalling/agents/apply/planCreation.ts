import type { IDataObject } from 'n8n-workflow';

import {
	type AgentField,
	creationDefaults,
	creationFields,
	fieldsOf,
	type Section,
	settingSections,
} from '../document/agentFields';
import { isSet } from '../document/differences';
import type { AgentDocument } from '../document/document';
import type { AgentSnapshot, Settings } from '../document/readAgentDocument';
import { type Environment, idsOfNumbers } from './environment';
import { listed, NEW_AGENT, type PlanPart, type PlanProblem } from './plan';

/**
 * Plans the creation of an agent with its settings. Voice, actions and the rest follow as changes of the new agent.
 *
 * @returns the part of the plan, and the agent that the request creates
 */
export function planCreation(
	document: AgentDocument,
	environment: Environment,
): Partial<PlanPart> & { current: AgentSnapshot } {
	const { ids, problems } = idsOfNumbers(environment, document.calling.phone_numbers ?? [], new Map());
	const wanted = { ...document, calling: { ...document.calling, phone_numbers: ids } };
	const given = Object.fromEntries(
		creationFields()
			.map(({ section, name, field }) => [nameOf(name, field), Object(wanted[section])[name]] as const)
			.filter(([, value]) => isSet(value) && !(Array.isArray(value) && value.length === 0)),
	);
	const defaults = creationDefaults();
	const body: IDataObject = { label: document.settings.name, ...defaults, ...given };
	const added = Object.entries(defaults).filter(([name]) => !(name in given));
	const words = listed(added.map(([name, value]) => `${name} ${JSON.stringify(value)}`));
	const note = `The document lacks settings that the service requires, so the new agent gets their defaults: ${words}.`;
	return {
		requests: [
			{
				what: 'Create agent',
				method: 'POST',
				path: ['agents'],
				body,
				why: 'no agent has the name',
				makesDraft: false,
				repeat: 'never',
			},
		],
		problems: [...problems, ...(isSet(document.voice.language) ? [] : [noLanguage])],
		notes: added.length === 0 ? [] : [note],
		current: newAgent(body),
	};
}

const noLanguage: PlanProblem = {
	path: 'voice.language',
	message: 'The document lacks a language, which a new agent requires',
	whatToDo: 'Add it, such as en-US.',
};

const nameOf = (name: string, { sentAs }: AgentField) => sentAs ?? name;

/** Returns the agent as it is right after its creation. @param body of the request */
function newAgent(body: IDataObject): AgentSnapshot {
	const valuesOf = (section: Section) => {
		const readable = fieldsOf(section).filter(([, { isReadable }]) => isReadable);
		return Object.fromEntries(
			readable.map(([name, field]) => [name, body[nameOf(name, field)] ?? null]),
		) as IDataObject;
	};
	const [knowledge, voice, calling] = settingSections.map(valuesOf);
	const settings: Settings = { knowledge, voice, calling };
	const none: ReadonlyMap<string, string> = new Map();
	const document = {
		schemaVersion: 1,
		settings: valuesOf('settings'),
		...settings,
		conversation: { conversation_mode: 'llm_driven', flow_config: null },
		actions: {},
		trainings: {},
		webhooks: {},
	} as unknown as AgentDocument;
	return {
		document,
		agentId: NEW_AGENT,
		isPublished: false,
		ids: { actions: none, trainings: none, webhooks: none },
		settings,
		phoneNumberIds: none,
	};
}
