import { choice, local } from '../../../shared/fields/field';
import {
	downloadRecording,
	pollInterval,
	timeLimit,
	waitByCampaignEvent,
	waitForCampaignCall,
} from '../../fields/waiting';
import { defineOperation } from '../../operation/defineOperation';
import {
	checkBeforeQueueing,
	duplicateField,
	existingCall,
	failOnDuplicate,
	queuedCall,
	queueFields,
	queueOptions,
	queueRequest,
} from './queueCall';

/** Without Skip: the node waits for an outcome of each item, so each item must be in the output. */
const onDuplicate = local(
	choice('onDuplicate', {
		...duplicateField,
		options: [
			failOnDuplicate,
			{
				name: 'Return Existing',
				value: 'returnExisting',
				description:
					'Return the existing call, with the result alreadyQueued, and do not wait for it: it has no outcome',
			},
		],
		description:
			'What to do if the number already has an active or queued call in the campaign. The service does not queue a second call, and the node cannot wait for the first one.',
	}),
);

export const queueCallAndWait = defineOperation({
	name: 'Queue Call and Wait',
	value: 'queueCallAndWait',
	action: 'Queue call and wait (rings a phone)',
	toolDescription: 'Queue a phone call in a campaign. A real phone rings, and the call costs money.',
	description:
		"Queue a call to a phone number in an active campaign, wait, and continue with the outcome after the last retry. A real phone rings according to the campaign's schedule, and credits are spent, except for test calls.",
	fields: [...queueFields, waitByCampaignEvent],
	options: [...queueOptions, onDuplicate, downloadRecording, pollInterval, timeLimit, waitForCampaignCall],
	before: checkBeforeQueueing,
	request: queueRequest,
	output: queuedCall,
	recover: existingCall,
	repeat: 'never',
	calledBy: 'campaignId',
	waits: true,
	// An AI agent cannot wait for hours.
	forTools: false,
});
