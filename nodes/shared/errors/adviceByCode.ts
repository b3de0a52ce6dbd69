/** The advice for an ID that the service does not know. */
function fromList(what: string, operation: string): string {
	return `Choose ${what} from the list, or use an ID from ${operation}. It must belong to the environment of the credential's token.`;
}

/** The advice for each error code that is more specific than its HTTP status. */
export const adviceByCode = {
	ACTION_NOT_FOUND: fromList('the agent and its action', 'Agent Action → Get Many'),
	AGENT_HAS_ACTIVE_CALLS: 'Wait until the calls of the agent have ended, then try again.',
	AGENT_INACTIVE: 'Use Agent → Publish, then try again. A change makes an agent a draft, which cannot call.',
	AGENT_IS_PUBLISHED: 'Use Agent → Unpublish, then try again.',
	AGENT_NOT_FOUND: fromList('the agent', 'Agent → Get Many'),
	AUTO_TOPUP_NOT_CONFIGURED: 'Set up the automatic top-up in the dashboard first.',
	CALL_NOT_ACTIVE: 'The call has already ended. Call → Get Active finds a call in progress.',
	CAMPAIGN_HAS_ACTIVE_CALLS: 'Pause the campaign with Campaign → Set Status, change it, then make it active again.',
	CAMPAIGN_LIMIT_REACHED: 'The plan allows no more campaigns. Delete one with Campaign → Delete, or get a larger plan.',
	CAMPAIGN_NOT_ACTIVE:
		'Calls can be queued only while the campaign is active: use Campaign → Set Status first, or Campaign → Create if it is completed or cancelled.',
	CAMPAIGN_NOT_FOUND: fromList('the campaign', 'Campaign → Get Many'),
	DEMO_GENERATION_FAILED: 'Try again later. If it fails again, choose another voice from Voice Template → Get Many.',
	DID_ALREADY_EXISTS:
		'The environment already has this number. SIP Trunk → Get Numbers lists the numbers of a trunk, Phone Number → Get Many all of them.',
	DID_IN_USE: 'An active agent still uses this number. Give the agent other numbers with Agent → Update first.',
	DUPLICATE_CALL:
		"To continue with the existing call, set 'If Already Queued' to Return Existing or Skip. To call the number again, set it to Queue Again.",
	INSUFFICIENT_CREDITS: "Add credits in the dashboard. Test calls ('Test Call' → Always) use none.",
	INVALID_AGENT_DIRECTION: 'Make the agent inbound with Agent → Update, then try again.',
	INVALID_PHONE_NUMBER: 'The format is right, but the service does not accept this number. Check it digit by digit.',
	INVALID_TRANSITION:
		'A draft campaign can become active or cancelled, an active one paused, completed or cancelled, and a paused one active, completed or cancelled. Completed and cancelled are final.',
	LOG_NOT_RETRIABLE:
		'Only a delivery that failed in the last 30 days can be sent again, and only to an enabled webhook. Check Get Deliveries, and Enabled in Update.',
	MEETING_PROVIDER_REQUIRED: 'Connect the calendar to a meeting provider in the dashboard, then try again.',
	MISSING_PHONE_NUMBER: "Fill in 'Phone Number', or check its expression.",
	MISSING_TOKEN: "Check the credential's Base URL and Environment Token. The token is sent only to the Base URL.",
	OPTIMIZED_COSTS_NOT_ELIGIBLE: 'The agent has had too few calls for this. Try again after more calls.',
	PAYMENT_FAILED: 'Check the payment method in the dashboard.',
	PHONE_NUMBER_IN_USE: 'An agent still uses this number. Give the agent other numbers with Agent → Update first.',
	RELEASE_ALREADY_PENDING: 'The number is released as soon as the pending request is approved.',
	RELEASE_ALREADY_RESOLVED: 'The decision is final. The dashboard shows it.',
	SFTP_EXPORT_IN_PROGRESS:
		'Wait until the running export has ended, then try again. Campaign SFTP → Get Logs shows it.',
	SFTP_IMPORT_IN_PROGRESS:
		'Wait until the running import has ended, then try again. Campaign SFTP → Get Logs shows it.',
	SFTP_TEST_REQUIRED: 'Use Campaign SFTP → Test Connection. When it succeeds, try again.',
	TOKEN_EXPIRED: 'Copy a new environment token from the dashboard (Account → Environments) into the credential.',
	TRAINING_NOT_FOUND: fromList('the agent and its training', 'Agent Training → Get Many'),
	TRUNK_HAS_DIDS:
		'Remove its numbers first: SIP Trunk → Get Numbers lists them, SIP Trunk → Remove Number removes one.',
	VOICE_NOT_FOUND: fromList('a voice', 'Voice Template → Get Many'),
	VOICE_TEMPLATE_NOT_FOUND: fromList('the voice template', 'Voice Template → Get Many'),
} satisfies Record<string, string>;

/** The advice for an error code; undefined where the HTTP status is as specific. */
export function adviceOf(code: string): string | undefined {
	return Object.hasOwn(adviceByCode, code) ? adviceByCode[code as keyof typeof adviceByCode] : undefined;
}
