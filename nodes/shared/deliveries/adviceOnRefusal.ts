import { WRONG_SIGNATURE } from './signature';

/** Where users report what does not work. */
export const ISSUES_URL = 'https://github.com/n8n-nodes-voice-agent-calling/n8n-nodes-voice-agent-calling/issues';

/** What the reason says of a signature that the trigger cannot read. */
export const UNKNOWN_FORM = 'unknown form of signature';

/** What to do about deliveries that the trigger refuses with 401, by the reason in n8n's log. */
export const adviceOnRefusal = {
	[WRONG_SIGNATURE]:
		"The service signs with another secret, because somebody changed it there or replaced the token of the credential, or a proxy changes the body. Use Webhook → 'Rotate Secret' for this webhook, then 'Catch Up' for the missed events. Do not unpublish the workflow before: that deletes the webhook and its delivery log.",
	[UNKNOWN_FORM]: `The service signs in a form that this package does not read. Report the names of the headers at ${ISSUES_URL}. 'Rotate Secret' does not help, unless deliveries of this webhook were accepted before.`,
} as const;
