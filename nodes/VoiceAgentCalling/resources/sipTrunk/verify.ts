import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { failedVerdict, verdict } from '../../operation/responses';
import { refusals } from './fields';

export const verify = defineOperation({
	name: 'Verify',
	value: 'verify',
	action: 'Verify SIP trunk',
	description: 'Let the service log in to the carrier. Required before a trunk can be active.',
	fields: [sipTrunk],
	request: ({ trunkId }) => ({
		method: 'POST',
		path: ['sip-trunks', trunkId, 'verify'],
		...refusals,
		readsFailure: true,
	}),
	output: verdict,
	recover: failedVerdict,
	// A second verification does not change anything.
	repeat: 'check',
});
