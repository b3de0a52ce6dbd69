import type { IDataObject } from 'n8n-workflow';

import type { PlanProblem } from './plan';

/**
 * Finds the IDs of phone numbers by their numbers in E.164.
 *
 * @param own the IDs of the agent's own numbers, by number
 * @param all the phone numbers of the environment; needed only for others
 */
export function numberIds(
	numbers: readonly string[],
	own: ReadonlyMap<string, string>,
	all: readonly IDataObject[],
): { ids: Map<string, string>; problems: PlanProblem[] } {
	const ids = new Map<string, string>();
	const problems: PlanProblem[] = [];
	for (const number of new Set(numbers)) {
		const found = all.filter((each) => each.number === number);
		const id = own.get(number) ?? (found.length === 1 ? String(found[0].id) : undefined);
		if (id !== undefined) {
			ids.set(number, id);
			continue;
		}
		problems.push({
			path: 'calling.phone_numbers',
			message:
				found.length === 0
					? `This environment does not have the phone number ${number}`
					: `This environment has the phone number ${number} ${found.length} times`,
			whatToDo:
				found.length === 0
					? 'Add the number in the service, or replace it in the document: Phone Number → Get Many lists those that are there.'
					: 'Assign it with Agent → Update Calling Settings, or keep only one of them in the service.',
		});
	}
	return { ids, problems };
}
