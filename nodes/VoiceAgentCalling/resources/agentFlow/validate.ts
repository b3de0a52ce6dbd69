import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { serviceError } from '../../../shared/errors/serviceError';
import { onlyFor } from '../../../shared/fields/field';
import { isRecord } from '../../../shared/lib/json';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { flow } from './fields';
import { flowError } from './flowError';
import { failOn, flowSource, ignoredRules, samplePayload, WITH_AGENT, WITH_JSON } from './validateFields';

export const validate = defineOperation({
	name: 'Validate',
	value: 'validate',
	action: 'Validate agent flow',
	description:
		'Check a conversation flow without saving anything. service has the errors that the service reports for this agent, rules what callers would suffer from: each finding names the node and what to do. If the flow has errors, the item does not fail, unless Fail On is set.',
	fields: [flowSource, onlyFor('flowSource', WITH_AGENT, agent), onlyFor('flowSource', WITH_JSON, flow)],
	options: [failOn, ignoredRules, samplePayload],
	async run(api, { agentId, flow_config }, options) {
		const { checkFlow } = await import('../../agents/flows/checkFlow.js');
		const { failOn: failsOn = 'never', ignoredRules: ignored, samplePayload: payload } = options;
		const flow = flow_config ?? (await currentFlow(api, agentId as string));
		const checked = await checkFlow(api, flow, { agentId, readsActions: 'always', payload, ignored });
		const { valid, service, rules, notChecked } = checked;
		const counts = { errors: service?.errors.length ?? 0, warnings: rules.length };
		if (failsOn !== 'never' && valid === false) {
			throw flowError('FLOW_INVALID', checked);
		}
		if (failsOn === 'warnings' && counts.warnings > 0) {
			throw flowError('FLOW_WARNINGS', checked);
		}
		return { valid, service, rules, counts, notChecked } as unknown as IDataObject;
	},
	// Nothing is saved.
	repeat: 'safe',
});

/** Reads the flow of an agent. @throws ServiceError `NO_FLOW` if the agent lacks one */
async function currentFlow(api: Api, agentId: string): Promise<Record<string, unknown>> {
	const { data } = await api.request({
		method: 'GET',
		path: ['agents', agentId, 'flow'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	});
	if (isRecord(data) && isRecord(data.flow_config)) {
		return data.flow_config;
	}
	throw serviceError('NO_FLOW');
}
