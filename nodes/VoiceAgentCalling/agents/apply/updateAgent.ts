import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { objectIn } from '../../../shared/client/refusals';
import { isPublished } from '../../../shared/client/statuses';
import { invalid } from '../../../shared/errors/serviceError';
import { wasPublished } from '../../operation/publishAfterwards';
import { fieldsOf, settingSections } from '../document/agentFields';
import { settingsOf } from '../document/readAgentDocument';
import { changeInTurn, merged } from './plan';
import { planUpdate } from './planSettings';
import { requestItems, sendPlan } from './sendPlan';
import { stoppedError } from './stoppedError';

/**
 * Changes some settings of an agent, with one request for each section that differs. All other settings do not change.
 *
 * @param wanted the new values, by the service's names
 * @param titleOf returns the name of a field in the editor
 * @returns the agent after the change
 * @throws ServiceError before anything is sent if the service requires a value that neither the user nor the agent
 * provides; or the error of a request, with a report of what was done
 */
export async function updateAgent(
	api: Api,
	agentId: string,
	wanted: IDataObject,
	titleOf: (name: string) => string,
): Promise<IDataObject> {
	return await changeInTurn(api, agentId, async () => {
		const codes = { 404: 'AGENT_NOT_FOUND' } as const;
		const agent = objectIn(await api.request({ method: 'GET', path: ['agents', agentId], codes }), 'the agent');
		const settings = settingsOf(agent);
		const updates = settingSections.map((section) => {
			const given = fieldsOf(section).map(([name, { sentAs = name }]) => [name, wanted[sentAs]]);
			const wishes = { sendsUnknown: true, isExact: true };
			return planUpdate(section, agentId, Object.fromEntries(given) as IDataObject, settings[section], wishes);
		});
		const [name] = updates.flatMap(({ missing }) => missing);
		if (name !== undefined) {
			const missing = titleOf(name);
			throw invalid(
				`The service does not return the current '${missing}' of the agent`,
				`Add '${missing}' to 'Update Fields': the service requires it with every change.`,
			);
		}
		const plan = { ...merged([{ requests: updates.flatMap(({ request }) => request ?? []) }]), known: new Map() };
		const published = { before: wasPublished(api, agentId, agent), now: isPublished(agent.current_status) };
		const sent = await sendPlan(api, plan, agentId);
		if (sent.error === undefined) {
			return Object.assign({}, agent, ...sent.responses.map(({ data }) => data)) as IDataObject;
		}
		if (plan.requests.length === 1 && sent.error.accepted === 'no') {
			throw sent.error;
		}
		const report = { requests: requestItems(plan.requests, sent) };
		throw stoppedError(plan, sent, sent.error, published).with({ report });
	});
}
