import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../shared/errors/serviceError';
import {
	messageTrigger,
	type NoAnswerReason,
	type NoTrigger,
	problemOf,
	withDetail,
} from '../../../shared/nodeLink/listener';
import type { Owner } from '../../../shared/nodeLink/owner';
import type { Api } from '../../sending/api';

/** Why there is no trigger at the URL that the user has chosen. */
const whyNot: Record<NoAnswerReason, string> = {
	elsewhere: 'The URL of the trigger is not on this n8n',
	testUrl: 'The URL is a test URL, which works only while the editor listens',
	notATrigger: 'The URL is not that of a Voice Agent Calling Trigger',
	noAnswer: 'n8n does not answer at the URL of the trigger',
	notPublished: 'No published workflow listens at the URL of the trigger',
	refused: 'No trigger answers at the URL',
	unproven: 'No Voice Agent Calling Trigger with the same credential answers at the URL',
};

const USE_PRODUCTION_URL = "Choose a trigger from the list, or use the trigger's production URL.";

function adviceOn(answer: NoTrigger): string {
	const { not } = answer;
	return not === 'testUrl' || not === 'notATrigger' ? USE_PRODUCTION_URL : problemOf(answer).whatToDo;
}

/**
 * Asks a trigger to register a webhook of a campaign or agent, or to delete it. Both can be repeated.
 *
 * @returns the trigger's reply, and the owner
 * @throws ServiceError `NOT_CONNECTED`, or the code of why no trigger answers
 */
export async function changeConnection(
	api: Api,
	triggerUrl: string,
	command: 'connect' | 'disconnect',
	owner: Owner,
): Promise<IDataObject> {
	const answer = await messageTrigger(api, triggerUrl, { command, ...owner });
	const done = `${command}ed`;
	const what = `The ${owner.source} was not ${done}`;
	const whatIsUnknown = `It is unknown if the ${owner.source} was ${done}`;
	if (answer.not !== undefined) {
		const { not, detail, accepted = 'no' } = answer;
		// The trigger may have done it, only too late for a response.
		const began = accepted === 'unknown' ? whatIsUnknown : what;
		throw new ServiceError(`${began}. ${withDetail(whyNot[not], detail)}`, {
			code: problemOf(answer).code,
			advice: adviceOn(answer),
			accepted,
		});
	}
	const { status, body } = answer;
	if (body[done] === true) {
		return { [done]: true, source: owner.source, ownerId: owner.ownerId, ...body };
	}
	const isUnknown = body[done] === 'unknown';
	const reason = String(body.message ?? `The trigger responded with HTTP status ${status}`);
	throw new ServiceError(`${isUnknown ? whatIsUnknown : what}. ${reason}`, {
		code: 'NOT_CONNECTED',
		advice: String(body.advice ?? '') || `Try again: to ${command} twice has the same effect.`,
		accepted: isUnknown ? 'unknown' : 'no',
	});
}
