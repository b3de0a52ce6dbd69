import { WRONG_SIGNATURE } from './signature';

/** The address for bug reports. */
export const ISSUES_URL = 'https://github.com/n8n-nodes-voice-agent-calling/n8n-nodes-voice-agent-calling/issues';

/** The reason for a delivery whose signature the trigger cannot read. */
export const UNKNOWN_FORM = 'unknown form of signature';

/** The reason for a delivery whose secret header is missing or wrong. */
export const WRONG_HEADER = 'secret header missing or wrong';

/** A part of a sentence: how to receive deliveries whose signature the trigger cannot read. */
export const OTHER_WAY = "set the trigger's option 'Verify By' to 'Secret Header' and publish the workflow again";

/** The advice for deliveries that the trigger refuses with 401, by the reason in n8n's log. */
export const adviceOnRefusal = {
	[WRONG_SIGNATURE]:
		"The service signs with another secret, because somebody changed it there or replaced the token of the credential, or a proxy changes the body. Use Webhook → 'Rotate Secret' for this webhook, then 'Catch Up' for the missed events. Do not unpublish the workflow before: Catch Up then cannot read the service's log.",
	[UNKNOWN_FORM]: `The service signs in a form that this package does not read. To receive its events, ${OTHER_WAY}. Report the names of the headers at ${ISSUES_URL}. 'Rotate Secret' does not help, unless deliveries of this webhook were accepted before.`,
	[WRONG_HEADER]:
		"Somebody changed the webhook's headers or replaced the token of the credential, the webhook was connected before 'Verify By' was changed, or a proxy removes the header. Use Webhook → 'Rotate Secret' for this webhook, then 'Catch Up' for the missed events.",
} as const;
