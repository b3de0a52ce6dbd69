import type { IDataObject } from 'n8n-workflow';

import { invalid, toResult, unwrap } from '../../../shared/errors/serviceError';
import type { Field } from '../../../shared/fields/field';
import { isBlank } from '../../../shared/lib/isBlank';
import { objectIn } from '../../../shared/service/refusals';
import type { ServiceRequest } from '../../../shared/service/request';
import type { Api } from '../../sending/api';

/** A group of an agent's settings that one PUT replaces. */
interface Part {
	/** The last segment of the path. */
	name: string;
	/** Fields that the service requires in every PUT. */
	required: readonly Field[];
	/** Other fields to send back unchanged, in case a PUT clears what it does not contain. */
	preserved: readonly Field[];
	/** Fields to send back too, unless the service rejects them: only some agents have these settings. */
	preservedIfAccepted?: readonly Field[];
	/** Extracts the current settings from the agent, by the keys of the fields; by default the agent itself. */
	currentIn?: (agent: IDataObject, changes: IDataObject) => IDataObject;
	codes?: ServiceRequest['codes'];
}

/**
 * Changes some settings of an agent where the service requires the whole group: the other values are read from the
 * agent and sent back.
 *
 * @returns the agent after the change
 * @throws ServiceError also if neither the user nor the agent provides a required value
 */
export async function putSettings(
	api: Api,
	agentId: string,
	{ name, required, preserved, preservedIfAccepted = [], currentIn = (agent) => agent, codes }: Part,
	changes: IDataObject,
): Promise<IDataObject> {
	const path = ['agents', agentId];
	const agent = await api.request({ method: 'GET', path, codes: { 404: 'AGENT_NOT_FOUND' } });
	const current = currentIn(objectIn(agent, 'the agent'), changes);
	const body: IDataObject = { ...valuesOf([...required, ...preserved], current), ...changes };
	const [missing] = required.filter(({ key }) => body[key] === undefined);
	if (missing) {
		const [{ displayName }] = missing.properties;
		throw invalid(
			`The service does not return the current '${displayName}' of the agent`,
			`Add '${displayName}' to 'Update Fields': the service requires it with every change.`,
		);
	}
	const put = async (more: IDataObject) =>
		await api.request({ method: 'PUT', path: [...path, name], body: { ...more, ...body }, codes });
	const more = valuesOf(preservedIfAccepted, current);
	const result = await toResult(put(more));
	const rejected = result.error?.fieldNames.some((field) => field in more && !(field in body));
	const { data } = rejected ? await put({}) : unwrap(result);
	return data as IDataObject;
}

/** The values of some fields that are set. */
function valuesOf(fields: readonly Field[], current: IDataObject): IDataObject {
	const entries = fields.map(({ key }) => [key, current[key]] as const);
	return Object.fromEntries(entries.filter(([, value]) => !isBlank(value)));
}
