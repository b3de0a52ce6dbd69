/** The advice for an ID that the service does not know. */
function fromList(what: string, operation: string): string {
	return `Choose ${what} from the list, or take an ID that ${operation} gives. It has to belong to the environment of the credential's token.`;
}

/** The advice for each error code that is more specific than its HTTP status. */
export const adviceByCode = {
	ACTION_NOT_FOUND: fromList('the agent and its action', 'Agent Action, Get Many'),
	AGENT_HAS_ACTIVE_CALLS: 'Wait until the calls of the agent have ended, then run this again.',
	AGENT_INACTIVE: 'Use Agent, Publish, then run this again. Changing an agent makes it a draft, which cannot call.',
	AGENT_IS_PUBLISHED: 'Use Agent, Unpublish, then run this again.',
	AGENT_NOT_FOUND: fromList('the agent', 'Agent, Get Many'),
	AUTO_TOPUP_NOT_CONFIGURED: 'Set up the automatic top-up in the dashboard first.',
	CALL_NOT_ACTIVE: 'The call is over, so there is nothing to end. Call, Get Active finds a call that is under way.',
	CAMPAIGN_HAS_ACTIVE_CALLS: 'Pause the campaign with Campaign, Set Status, change it, and make it active again.',
	CAMPAIGN_LIMIT_REACHED:
		'The plan allows no more campaigns. Delete one that is no longer needed with Campaign, Delete, or ask for a larger plan.',
	CAMPAIGN_NOT_ACTIVE: 'Calls can be queued only while the campaign is active: use Campaign, Set Status first.',
	CAMPAIGN_NOT_FOUND: fromList('the campaign', 'Campaign, Get Many'),
	DEMO_GENERATION_FAILED:
		'Run this again in a while. If it goes on, choose another voice: Voice Template, Get Many lists them.',
	DID_ALREADY_EXISTS:
		'The environment has this number already. SIP Trunk, Get Numbers lists those of a trunk, Phone Number, Get Many all.',
	DID_IN_USE:
		'An active agent still uses this number. Give it other numbers with Agent, Update Calling Settings first.',
	DUPLICATE_CALL:
		"To go on with the call that is there, set 'On Duplicate' to Return Existing or Skip. To call the number once more, switch 'Allow Duplicates' on.",
	INSUFFICIENT_CREDITS: "Add credits in the dashboard. Test calls ('Test Call': Always) use none.",
	INVALID_AGENT_DIRECTION: 'Make the agent inbound with Agent, Update Calling Settings, then run this again.',
	INVALID_PHONE_NUMBER: 'The form is right, but the service does not take this number: check it digit by digit.',
	INVALID_TRANSITION:
		'A draft campaign can become active or cancelled; an active one paused, completed or cancelled; a paused one active, completed or cancelled. Completed and cancelled are final.',
	LOG_NOT_RETRIABLE:
		'Only a delivery that failed, within the last 30 days, can be sent again, and only to a webhook that is enabled: see Get Deliveries, and Enable or Disable.',
	MEETING_PROVIDER_REQUIRED:
		'Connect the calendar to a provider of online meetings in the dashboard, then run this again.',
	MISSING_PHONE_NUMBER: "Fill in 'Phone Number', or check its expression.",
	MISSING_TOKEN:
		"The token is sent only to the Base URL's own address. Check the credential's Base URL and Environment Token.",
	OPTIMIZED_COSTS_NOT_ELIGIBLE: 'The agent has had too few calls for this. Run this again when it has had more.',
	PAYMENT_FAILED: 'Look at the way of payment in the dashboard.',
	PHONE_NUMBER_IN_USE:
		'An agent still uses this number. Give it other numbers with Agent, Update Calling Settings first.',
	RELEASE_ALREADY_PENDING: 'There is nothing more to do: the number is given back once the request is granted.',
	RELEASE_ALREADY_RESOLVED: 'The request is decided and stays so: the dashboard shows how.',
	SFTP_EXPORT_IN_PROGRESS: 'Campaign SFTP, Get Logs shows when the running export has ended. Then run this again.',
	SFTP_IMPORT_IN_PROGRESS: 'Campaign SFTP, Get Logs shows when the running import has ended. Then run this again.',
	SFTP_TEST_REQUIRED: 'Run Campaign SFTP, Test Connection. When it succeeds, run this again.',
	TOKEN_EXPIRED: 'Copy a new environment token from the dashboard (Account, Environments) into the credential.',
	TRAINING_NOT_FOUND: fromList('the agent and its training', 'Agent Training, Get Many'),
	TRUNK_HAS_DIDS: 'Remove its numbers first: SIP Trunk, Get Numbers lists them, Remove Number takes one away.',
	VOICE_NOT_FOUND: fromList('a voice', 'Voice Template, Get Many'),
	VOICE_TEMPLATE_NOT_FOUND: fromList('the voice template', 'Voice Template, Get Many'),
} satisfies Record<string, string>;

/** The advice for an error code; undefined where the HTTP status is as specific. */
export function adviceOf(code: string): string | undefined {
	return Object.hasOwn(adviceByCode, code) ? adviceByCode[code as keyof typeof adviceByCode] : undefined;
}
