import { WRONG_SIGNATURE } from './signature';

/** Where users report what does not work. */
export const ISSUES_URL = 'https://github.com/n8n-nodes-voice-agent-calling/n8n-nodes-voice-agent-calling/issues';

/** What the reason says of a signature that the trigger cannot read. */
export const UNKNOWN_FORM = 'unknown form of signature';

/** The reason for a delivery without the secret header that it should have. */
export const WRONG_HEADER = 'secret header missing or wrong';

/** How to receive deliveries whose signature the trigger cannot read; a part of a sentence. */
export const OTHER_WAY = "set the trigger's option 'Verify By' to 'Secret Header' and publish the workflow again";

/** What to do about deliveries that the trigger refuses with 401, by the reason in n8n's log. */
export const adviceOnRefusal = {
	[WRONG_SIGNATURE]:
		"The service signs with another secret, because somebody changed it there or replaced the token of the credential, or a proxy changes the body. Use Webhook → 'Rotate Secret' for this webhook, then 'Catch Up' for the missed events. Do not unpublish the workflow before: Catch Up then cannot read the service's log.",
	[UNKNOWN_FORM]: `The service signs in a form that this package does not read. To receive its events, ${OTHER_WAY}. Report the names of the headers at ${ISSUES_URL}. 'Rotate Secret' does not help, unless deliveries of this webhook were accepted before.`,
	[WRONG_HEADER]:
		"Somebody changed the webhook's headers or replaced the token of the credential, the webhook was connected before 'Verify By' was changed, or a proxy removes the header. Use Webhook → 'Rotate Secret' for this webhook, then 'Catch Up' for the missed events.",
} as const;
