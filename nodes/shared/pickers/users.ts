import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { readPage } from '../client/pagination';
import { connect, send } from '../client/transport';
import { hasServiceStatus, type ServiceError, toResult, unwrap } from '../errors/serviceError';
import { titled } from './listings';

/** How many calendars are read. */
const MAX_CALENDARS = 25;

/** How many of them are read at the same time. */
const CALENDARS_AT_ONCE = 5;

/** Whether only this calendar's members cannot be read: it was deleted, or belongs to somebody else. */
function isOutOfReach(error: ServiceError): boolean {
	return hasServiceStatus(error, 403, 404, 410);
}

/**
 * Lists users: the members of the first calendars, because the service has no list of its users.
 *
 * @returns each user once, sorted by name
 * @throws ServiceError where the calendars, or the members of any of them, cannot be read
 */
export async function usersOfCalendars(caller: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchItems[]> {
	const connection = await connect(caller);
	const list = async (path: string[], query: IDataObject = {}) => {
		const body = await send(caller, connection, { method: 'GET', path, query });
		return readPage(body, ({ data }) => data, 1).items;
	};
	const calendars = (await list(['calendars'], { per_page: MAX_CALENDARS })).slice(0, MAX_CALENDARS);
	const membersOf = async ({ id }: IDataObject) => await toResult(list(['calendars', String(id), 'members']));
	const read: Array<Awaited<ReturnType<typeof membersOf>>> = [];
	for (let start = 0; start < calendars.length; start += CALENDARS_AT_ONCE) {
		read.push(...(await Promise.all(calendars.slice(start, start + CALENDARS_AT_ONCE).map(membersOf))));
	}
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
