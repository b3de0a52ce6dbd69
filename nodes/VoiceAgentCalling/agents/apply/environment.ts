import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import type { AgentDocument } from '../document/document';
import { hasNames, namesOf, readVoices, type VoiceNames } from '../document/names';
import type { AgentSnapshot } from '../document/readAgentDocument';
import { listed, type PlanProblem } from './plan';

/** What the names in a document may stand for: the voices and the phone numbers of an environment. */
export interface Environment {
	voices: readonly IDataObject[];
	phoneNumbers: readonly IDataObject[];
}

type VoiceTemplate = AgentDocument['voice']['template'];

/** The IDs for some names, and why there is none for others. */
type Found<Ids> = { ids: Ids; problems: PlanProblem[] };

/**
 * Reads what is needed to plan, once in a run: nothing where the agent has the voice and the numbers of the document.
 *
 * @param agent undefined for a new one
 */
export async function readEnvironment(
	api: Api,
	{ voice, calling }: AgentDocument,
	agent: AgentSnapshot | undefined,
): Promise<Environment> {
	const needsVoices = isOtherVoice(voice.template, agent?.document.voice.template);
	const needsNumbers = (calling.phone_numbers ?? []).some((number) => !agent?.phoneNumberIds.has(number));
	return {
		voices: needsVoices ? await readVoices(api) : [],
		phoneNumbers: needsNumbers
			? await api.remember('phoneNumbers', () =>
					api.pages({ method: 'GET', path: ['phone-numbers'] }, ({ data }) => data, Number.POSITIVE_INFINITY),
				)
			: [],
	};
}

/** Whether another voice than the one of the agent is wanted. */
export function isOtherVoice(wanted: VoiceTemplate, current: VoiceTemplate): wanted is VoiceNames {
	return wanted != null && !(current != null && hasNames(current, wanted));
}

/** Finds the ID of the voice with some names. Where there is none, a plan shows that instead. */
export function idOfVoice({ voices }: Environment, names: VoiceNames): Found<string> {
	const found = voices.filter((voice) => hasNames(namesOf(voice), names));
	if (found.length === 1) {
		return { ids: String(found[0].id), problems: [] };
	}
	const called = Object.values(names).filter((name) => name != null);
	const isThere = found.length > 0;
	const problem: PlanProblem = {
		path: 'voice.template',
		message: `This environment has ${isThere ? `${found.length} voices` : 'no voice'} with the names ${listed(called.map((name) => `"${name}"`))}`,
		whatToDo: isThere
			? 'Add the language and the tier of the voice to the document.'
			: 'Name one of its voices in the document: Voice Template → Get Many lists them.',
	};
	return { ids: '(unknown voice)', problems: [problem] };
}

/**
 * Finds the IDs of phone numbers by their numbers in E.164.
 *
 * @param own the IDs of the agent's own numbers, by number
 */
export function idsOfNumbers(
	{ phoneNumbers }: Environment,
	numbers: readonly string[],
	own: ReadonlyMap<string, string>,
): Found<string[]> {
	const ids: string[] = [];
	const problems: PlanProblem[] = [];
	for (const number of new Set(numbers)) {
		const found = phoneNumbers.filter((each) => each.number === number);
		const id = own.get(number) ?? (found.length === 1 ? String(found[0].id) : undefined);
		if (id !== undefined) {
			ids.push(id);
			continue;
		}
		const isThere = found.length > 0;
		problems.push({
			path: 'calling.phone_numbers',
			message: isThere
				? `This environment has the phone number ${number} ${found.length} times`
				: `This environment does not have the phone number ${number}`,
			whatToDo: isThere
				? 'Choose it in Agent → Update, or keep only one of them in the service.'
				: 'Add the number in the service, or replace it in the document: Phone Number → Get Many lists those that are there.',
		});
	}
	return { ids, problems };
}
