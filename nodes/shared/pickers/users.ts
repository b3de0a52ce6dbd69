import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { readPage } from '../client/pagination';
import { connect, send } from '../client/transport';
import { hasServiceStatus, type ServiceError, toResult, unwrap } from '../errors/serviceError';
import { inBatches } from '../lib/collections';
import { titled } from './listings';

/** The maximum number of calendars whose members are read. */
const MAX_CALENDARS = 25;

/** The number of simultaneous requests. */
const CALENDARS_AT_ONCE = 5;

/** Whether the error concerns only this calendar, which was deleted or belongs to somebody else. */
function isOutOfReach(error: ServiceError): boolean {
	return hasServiceStatus(error, 403, 404, 410);
}

/**
 * Lists users: the members of the first calendars, because the service offers no list of its users.
 *
 * @returns each user once, sorted by name
 * @throws ServiceError if a read fails, unless only some of the calendars are out of reach
 */
export async function usersOfCalendars(caller: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchItems[]> {
	const connection = await connect(caller);
	const list = async (path: string[], query: IDataObject = {}) => {
		const body = await send(caller, connection, { method: 'GET', path, query });
		return readPage(body, ({ data }) => data, 1).items;
	};
	const calendars = (await list(['calendars'], { per_page: MAX_CALENDARS })).slice(0, MAX_CALENDARS);
	const membersOf = async ({ id }: IDataObject) => await toResult(list(['calendars', String(id), 'members']));
	const read = await inBatches(calendars, CALENDARS_AT_ONCE, membersOf);
	const isReadable = read.some(({ error }) => error === undefined);
	const members = read.flatMap((result) =>
		isReadable && result.error && isOutOfReach(result.error) ? [] : unwrap(result),
	);
	const users = new Map(members.map(({ user_id: id, name, email }) => [id, titled(id, name ?? email, name && email)]));
	const searchText = filter.trim().toLowerCase();
	return [...users.values()]
		.filter(({ name }) => name.toLowerCase().includes(searchText))
		.sort((left, right) => (left.name.toLowerCase() < right.name.toLowerCase() ? -1 : 1));
}
