import type { IDataObject } from 'n8n-workflow';

import { invalid, unreadable } from '../../../shared/errors/serviceError';
import type { Field } from '../../../shared/fields/field';
import { isRecord } from '../../../shared/lib/isRecord';
import type { ServiceRequest } from '../../../shared/service/request';
import type { Api } from '../../sending/api';

/** One part of an agent's settings. */
interface Part {
	/** Its name in the path. */
	name: string;
	/** What the service wants with every change. */
	required: readonly Field[];
	/** What else is sent back unchanged, in case a PUT takes away what it does not have. */
	kept: readonly Field[];
	/** Where the present settings are in the agent, by the names of the fields. */
	presentIn?: (agent: IDataObject) => IDataObject;
	codes?: ServiceRequest['codes'];
}

/**
 * Changes some of an agent's settings where the service wants a part of them all at once: the others
 * are read from the agent.
 *
 * @throws ServiceError for a required one that neither the user nor the agent tells
 */
export async function putSettings(
	api: Api,
	agentId: string,
	{ name, required, kept, presentIn = (agent) => agent, codes }: Part,
	changes: IDataObject,
): Promise<IDataObject> {
	const path = ['agents', agentId];
	const { data: agent } = await api.request({ method: 'GET', path, codes: { 404: 'AGENT_NOT_FOUND' } });
	if (!isRecord(agent)) {
		throw unreadable('without the agent');
	}
	const present = presentIn(agent as IDataObject);
	const unchanged = [...required, ...kept].map(({ key }) => [key, present[key]] as const);
	const told = unchanged.filter(([, value]) => value !== undefined && value !== null && value !== '');
	const body: IDataObject = { ...Object.fromEntries(told), ...changes };
	const [missing] = required.filter(({ key }) => body[key] === undefined);
	if (missing) {
		const [{ displayName }] = missing.properties;
		throw invalid(
			`The service does not tell the present '${displayName}' of the agent`,
			`Add '${displayName}' to 'Update Fields': the service wants it with every change.`,
		);
	}
	const { data } = await api.request({ method: 'PUT', path: [...path, name], body, codes });
	return data as IDataObject;
}
