import type { IDataObject } from 'n8n-workflow';

import type { SendRequest } from '../../../../nodes/shared/client/request.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';

/** The list of calls of a service, page by page. */
export class CallList {
	/** The queries that were sent. */
	readonly queries: IDataObject[] = [];

	/** What the search does: `works`, finds nothing, ignores its parameter, or is refused. */
	search: 'works' | 'nothing' | 'ignored' | 'refused' = 'works';

	/** What the service says instead of the list. */
	error: ServiceError | undefined;

	calls: IDataObject[];

	constructor(calls: IDataObject[] = []) {
		this.calls = calls;
	}

	readonly read: SendRequest = async ({ path, query = {} }) => {
		expect(path).toEqual(['calls']);
		this.queries.push(query);
		if (this.error !== undefined) {
			throw this.error;
		}
		if (query.search !== undefined && this.search === 'refused') {
			throw new ServiceError('No', { code: 'UNEXPECTED', advice: '', accepted: 'no', httpStatus: 422 });
		}
		const isFound = ({ to }: IDataObject) =>
			query.search === undefined ||
			this.search === 'ignored' ||
			(this.search === 'works' && String(to).includes(String(query.search).replace('+', '')));
		const found = this.calls.filter(isFound).map((call): IDataObject => ({ status: 'completed', ...call }));
		const [page, size] = [Number(query.page ?? 1), Number(query.per_page ?? 15)];
		const data = found.slice((page - 1) * size, page * size);
		const last_page = Math.max(1, Math.ceil(found.length / size));
		return { success: true, data, pagination: { current_page: page, last_page, total: found.length } };
	};

	/** How many requests were sent since this was asked last. */
	takeCount(): number {
		return this.queries.splice(0).length;
	}
}
