import type { IDataObject } from 'n8n-workflow';

import type { AgentDocument } from '../agentDocument/document';
import type { DocumentedAgent } from '../agentDocument/readAgentDocument';
import { setMembers } from './changedFields';
import { numberIds } from './phoneNumberIds';
import { NEW_AGENT, type PlannedRequest, type PlanProblem } from './plan';
import { listed } from './wording';

/** The creation of an agent. */
interface Creation {
	request: PlannedRequest;
	/** The agent that the request leaves. */
	current: DocumentedAgent;
	problems: PlanProblem[];
	notes: string[];
}

/**
 * Plans the creation of an agent with its settings. Voice, actions and the rest follow as changes of the new agent.
 *
 * @param defaults the settings that the service requires, for those that the document lacks
 * @param phoneNumbers the phone numbers of the environment
 */
export function planCreation(
	document: AgentDocument,
	defaults: IDataObject,
	phoneNumbers: readonly IDataObject[],
): Creation {
	const { settings, knowledge, voice, calling } = document;
	const { language, conversation_speed, who_speaks_first } = voice;
	const { direction, phone_numbers = [] } = calling;
	const { ids, problems } = numberIds(phone_numbers, new Map(), phoneNumbers);
	if (language === undefined || language === null) {
		problems.push({
			path: 'voice.language',
			message: 'The document has no language, which a new agent requires',
			whatToDo: 'Add it, such as en-US.',
		});
	}
	const given = setMembers({
		...settings,
		...knowledge,
		...{ language, conversation_speed, who_speaks_first, direction },
		...(ids.size > 0 && { phone_number_ids: [...ids.values()] }),
	});
	const body = { label: settings.name, ...defaults, ...given } as IDataObject;
	const added = Object.entries(defaults).filter(([field]) => !(field in given));
	const addedWords = added.map(([field, value]) => `${field} ${JSON.stringify(value)}`);
	return {
		request: {
			what: 'Create agent',
			method: 'POST',
			path: ['agents'],
			body,
			why: 'no agent has the name',
			makesDraft: false,
			repeat: 'never',
		},
		current: newAgent(body, phone_numbers, ids),
		problems,
		notes:
			added.length === 0
				? []
				: [
						`The document lacks settings that the service requires, so the new agent gets their defaults: ${listed(addedWords)}.`,
					],
	};
}

/** An agent right after its creation. */
function newAgent(body: IDataObject, numbers: string[], phoneNumberIds: ReadonlyMap<string, string>): DocumentedAgent {
	const {
		name,
		label,
		language,
		conversation_speed,
		who_speaks_first,
		direction,
		description = null,
		initial_message = null,
		...others
	} = body;
	const { interrupt_sensitivity, ask_if_human_present_on_idle, llm_temperature, initial_message_delay } = others;
	const behavior = { interrupt_sensitivity, ask_if_human_present_on_idle, llm_temperature, initial_message_delay };
	const document = {
		schemaVersion: 1,
		settings: { name, label },
		knowledge: { description, initial_message, ...behavior },
		voice: { template: null, language, conversation_speed, who_speaks_first },
		calling: { direction, phone_numbers: numbers },
		conversation: { conversation_mode: 'llm_driven', flow_config: null },
		actions: {},
		trainings: {},
		webhooks: {},
	} as AgentDocument;
	const none: ReadonlyMap<string, string> = new Map();
	return {
		document,
		agentId: NEW_AGENT,
		isPublished: false,
		actionIds: none,
		trainingIds: none,
		webhookIds: none,
		voiceId: undefined,
		phoneNumberIds,
	};
}
