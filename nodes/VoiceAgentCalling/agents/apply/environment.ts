import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import type { AgentDocument } from '../document/document';
import { hasNames, namesOf, readVoices, type VoiceNames } from '../document/names';
import type { AgentSnapshot } from '../document/readAgentDocument';
import { listed, type PlanProblem } from './plan';

/** The voices and phone numbers of an environment, to which the names in a document refer. */
export interface Environment {
	voices: readonly IDataObject[];
	phoneNumbers: readonly IDataObject[];
}

type VoiceTemplate = AgentDocument['voice']['template'];

/** The IDs that were found for names, and a problem for each name without an ID. */
type Found<Ids> = { ids: Ids; problems: PlanProblem[] };

/**
 * Reads the voices and numbers once per run, if the plan needs them: not if the agent already has those of the document.
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

/** Whether a document names a different voice than the agent has. */
export function isOtherVoice(wanted: VoiceTemplate, current: VoiceTemplate): wanted is VoiceNames {
	return wanted != null && !(current != null && hasNames(current, wanted));
}

/** Finds the ID of a voice by its names. If it is not found, the ID is a text for people, which the plan shows. */
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
				: 'Add the number in the service, or replace it in the document: Phone Number → Get Many lists the numbers of the environment.',
		});
	}
	return { ids, problems };
}
