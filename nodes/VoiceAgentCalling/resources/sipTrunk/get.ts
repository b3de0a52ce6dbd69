import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { outputsOf } from '../../operation/outputChoice';
import { refusals } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get SIP trunk',
	description: 'Get a SIP trunk with its settings and its last health check. The password is never returned.',
	fields: [sipTrunk],
	request: ({ trunkId }) => ({ method: 'GET', path: ['sip-trunks', trunkId], ...refusals }),
	output: (response) => response.data,
	outputs: outputsOf('GET /sip-trunks/{trunk_id}', [
		'name',
		'provider_name',
		'domain',
		'is_active',
		'is_verified',
		'health_status',
		'last_health_check_at',
		'transport',
		'port',
		'id',
	]),
});
