// The texts that users read, by error code: what happened, and what to do. All other files only name a code. A 422 gets
// the meaning of VALIDATION_ERROR, and its advice unless the service or the endpoint names a code of `byRefusal` (see
// client/refusals.ts).

/** Returns the advice for an ID that the service does not find. */
function fromList(what: string, operation: string): string {
	return `Choose ${what} from the list, or use an ID from ${operation}. It must belong to the environment of the credential's token.`;
}

const CREDITS = "Add credits in the dashboard. Test calls ('Test Call' → Always) use none.";

/** The texts for an HTTP status without a more specific code. The service uses `UNAUTHORIZED` for both 401 and 403. */
export const byStatus = {
	BAD_REQUEST: {
		status: 400,
		meaning: 'The service refused the request',
		advice: 'Check the values of this item.',
	},
	UNAUTHORIZED: {
		status: 401,
		meaning: 'The service does not accept the environment token',
		advice:
			'Copy the current token from the dashboard (Account → Environments) into the credential. When somebody regenerates it, the old one stops working.',
	},
	INSUFFICIENT_CREDITS: {
		status: 402,
		meaning: 'The account cannot pay for this',
		advice: CREDITS,
	},
	FORBIDDEN: {
		status: 403,
		meaning: 'The service does not allow this',
		advice: 'Use an environment token with the permission, and check that the object belongs to its environment.',
	},
	NOT_FOUND: {
		status: 404,
		meaning: 'Not found',
		advice:
			"Check the ID, and that the object belongs to the environment of the credential's token. Get Many lists what exists.",
	},
	METHOD_NOT_ALLOWED: {
		status: 405,
		meaning: 'The service refused the request',
		advice: 'Check the method: this path does not support it.',
	},
	CONFLICT: {
		status: 409,
		meaning: 'The request conflicts with the current state',
		advice: 'Check the object in the service, then decide what to do.',
	},
	VALIDATION_ERROR: {
		status: 422,
		meaning: 'The service does not accept some values',
		advice: 'Correct the values named above.',
	},
	RATE_LIMIT_EXCEEDED: {
		status: 429,
		meaning: 'The service received too many requests',
		advice:
			'Try again later. Where the operation has the collection Sending, a higher Max Wait lets the node wait longer.',
	},
	SERVER_ERROR: {
		status: 500,
		meaning: 'The service had an internal error',
		advice: 'If it happens again, contact the operator of the service.',
	},
	/** A success status with `success: false`. */
	FAILURE_REPORTED: {
		status: 200,
		meaning: 'The service reports a failure',
		advice: 'Check the values of this item, and the object in the service.',
	},
} as const;

/**
 * The advice for refusals with a code that the service sent or the endpoint declares. It is more specific than a
 * status.
 */
export const byRefusal = {
	ACTION_NOT_FOUND: fromList('the agent and its action', 'Agent Action → Get Many'),
	AGENT_HAS_ACTIVE_CALLS: 'Wait until the calls of the agent have ended, then try again.',
	AGENT_INACTIVE:
		'A draft cannot call: use Agent → Publish. A change makes an agent a draft; Agent → Update publishes it again, a change in the dashboard may not. An inbound agent cannot call either: choose another one.',
	AGENT_INCOMPLETE:
		'Complete what is named above with Agent → Update (description is Prompt, phone_number_ids is Phone Numbers), then run this again.',
	AGENT_IN_USE: 'Use Agent → Unpublish, wait until the calls of the agent have ended, then run this again.',
	AGENT_IS_PUBLISHED: 'Use Agent → Unpublish, then try again.',
	AGENT_NOT_FOUND: fromList('the agent', 'Agent → Get Many'),
	AUTO_TOPUP_NOT_CONFIGURED: 'Set up the automatic top-up in the dashboard first.',
	BODY_OR_QUERY_INVALID: 'Correct the body or the query as the service says.',
	CALLS_IN_PROGRESS: 'Calls are in progress. Run this again when they have ended: Call → Get Many lists them.',
	CALL_NOT_ACTIVE: 'The call has already ended. Call → Get Active finds a call in progress.',
	CALL_NOT_FOUND: 'Check the agent and the call ID: Call → Get Active returns the ID of a call in progress.',
	CAMPAIGN_HAS_ACTIVE_CALLS: 'Pause the campaign with Campaign → Set Status, change it, then make it active again.',
	CAMPAIGN_LIMIT_REACHED: 'The plan allows no more campaigns. Delete one with Campaign → Delete, or get a larger plan.',
	CAMPAIGN_NOT_ACTIVE:
		'Set it to Active with Campaign → Set Status. If it is completed or cancelled, create a new one.',
	CAMPAIGN_NOT_DELETABLE:
		'If the campaign is active, pause, complete or cancel it with Campaign → Set Status, then run this again. Otherwise the environment token lacks the permission.',
	CAMPAIGN_NOT_FOUND: fromList('the campaign', 'Campaign → Get Many'),
	CONFIGURATION_NOT_FOUND:
		'The campaign has no SFTP configuration (create one with Campaign SFTP → Create), or it does not belong to the environment of the token.',
	CUSTOM_SIP_TRUNKS_NOT_ALLOWED:
		"Custom SIP trunks require a plan that includes them (allow_custom_sip_trunks): check the plan in the service's dashboard. If it includes them, use a token with the permission.",
	DELIVERY_NOT_FOUND: 'Check the webhook and the delivery. Get Deliveries lists the deliveries of a webhook.',
	DEMO_GENERATION_FAILED: 'Try again later. If it fails again, choose another voice from Voice Template → Get Many.',
	DID_ALREADY_EXISTS:
		'The environment already has this number. SIP Trunk → Get Numbers lists the numbers of a trunk, Phone Number → Get Many all of them.',
	DID_IN_USE: 'An active agent still uses this number. Give the agent other numbers with Agent → Update first.',
	DUPLICATE_CALL:
		"To continue with the existing call, set 'If Already Queued' to Return Existing or Skip. To call the number again, set it to Queue Again.",
	FLOW_INVALID: 'Correct the flow: Agent Flow → Validate finds mistakes without changing anything.',
	INSUFFICIENT_CREDITS: CREDITS,
	INVALID_AGENT_DIRECTION: 'Make the agent inbound with Agent → Update, then try again.',
	INVALID_PHONE_NUMBER: 'The format is right, but the service does not accept this number. Check it digit by digit.',
	INVALID_TRANSITION:
		'A draft campaign can become active or cancelled, an active one paused, completed or cancelled, and a paused one active, completed or cancelled. Completed and cancelled are final.',
	LOG_NOT_RETRIABLE:
		'Only a delivery that failed in the last 30 days can be sent again, and only to an enabled webhook. Check Get Deliveries, and Enabled in Update.',
	MEETING_PROVIDER_REQUIRED: 'Connect the calendar to a meeting provider in the dashboard, then try again.',
	MEMBER_ALREADY_EXISTS: 'To change the role of the member, use Calendar Member → Update.',
	MISSING_PHONE_NUMBER: "Fill in 'Phone Number', or check its expression.",
	MISSING_TOKEN: "Check the credential's Base URL and Environment Token. The token is sent only to the Base URL.",
	OPTIMIZED_COSTS_NOT_ELIGIBLE: 'The agent has had too few calls for this. Try again after more calls.',
	OWNER_REQUIRED:
		'A calendar must have an owner: make another member the owner first, with Calendar Member → Update. The current owner probably stays a member.',
	PATH_NOT_FOUND:
		"Check the path and the IDs in it, and that they belong to the environment of the credential's token.",
	PAYMENT_FAILED: 'Check the payment method in the dashboard.',
	PHONE_NUMBER_IN_USE: 'An agent still uses this number. Give the agent other numbers with Agent → Update first.',
	RELEASE_ALREADY_PENDING: 'The number is released as soon as the pending request is approved.',
	RELEASE_ALREADY_RESOLVED: 'The decision is final. The dashboard shows it.',
	SFTP_ALREADY_EXISTS: 'A campaign can have only one SFTP configuration: change it with Campaign SFTP → Update.',
	SFTP_EXPORT_IN_PROGRESS:
		'Wait until the running export has ended, then try again. Campaign SFTP → Get Logs shows it.',
	SFTP_IMPORT_IN_PROGRESS:
		'Wait until the running import has ended, then try again. Campaign SFTP → Get Logs shows it.',
	SFTP_NOT_ENABLED:
		"If the SFTP configuration is disabled, enable it with Campaign SFTP → Update ('Enabled') after a successful Test Connection. Otherwise correct the values named above.",
	SFTP_TEST_REQUIRED: 'Use Campaign SFTP → Test Connection. When it succeeds, try again.',
	TEST_FAILED: "Check 'Environment Token' and 'Base URL'.",
	TEST_FORBIDDEN: 'The token lacks a permission. Use one with access to voice agents, calls and campaigns.',
	TEST_TOO_SOON: 'Wait a minute, then test again.',
	TOKEN_EXPIRED: 'Copy a new environment token from the dashboard (Account → Environments) into the credential.',
	TRAINING_NOT_FOUND: fromList('the agent and its training', 'Agent Training → Get Many'),
	TRUNK_HAS_DIDS:
		'Remove its numbers first: SIP Trunk → Get Numbers lists them, SIP Trunk → Remove Number removes one.',
	TRUNK_INVALID: 'Correct the values named above. A trunk can be active only after SIP Trunk → Verify has succeeded.',
	VOICE_NOT_FOUND: fromList('a voice', 'Voice Template → Get Many'),
	VOICE_TEMPLATE_NOT_FOUND: fromList('the voice template', 'Voice Template → Get Many'),
} as const;

/**
 * The texts for errors that a node itself finds, with values in braces. Undefined if the code that throws writes them.
 */
export const byNode = {
	// The user's own rules do not allow the call: nothing was sent.
	DO_NOT_CALL: undefined,
	NO_CONSENT: undefined,
	OUTSIDE_HOURS: undefined,
	TOO_OFTEN: undefined,
	// The input or the settings are invalid: nothing was sent.
	AGENT_NOT_OUTBOUND: [
		'Agent "{name}" is not outbound, so it cannot place calls',
		'Choose another agent, or set its direction to Outbound with Agent → Update, then publish it again.',
	],
	FLOW_WARNINGS: undefined,
	INVALID_INPUT: undefined,
	MISSING_VARIABLES: undefined,
	NOT_APPLICABLE: undefined,
	NOT_CONNECTED: undefined,
	NOT_REGISTERED: undefined,
	NO_FLOW: [
		'The agent has no flow: the language model leads its conversations',
		'Choose an agent whose conversation mode is flow_driven, or check a flow as JSON.',
	],
	NO_TRIGGER: undefined,
	N8N_TOO_OLD: undefined,
	SLOT_TAKEN: [
		'The slot is taken: "{title}" is from {start} to {end}',
		'Choose another time. Availability → Get Slots lists the free ones.',
	],
	VARIABLES_NOT_READ: undefined,
	WEBHOOK_URL_NOT_PUBLIC: [
		'The service cannot reach {address}, because that address is on this machine',
		'Use a public address. For that of n8n, set its environment variable {variable}, restart n8n and publish or run the workflow again. For a test, use a tunnel or the sandbox of this package.',
	],
	WEBHOOK_URL_TOO_LONG: [
		'The webhook URL has {length} characters, but the service accepts only {most}',
		'Use a shorter address for n8n.',
	],
	// No trigger accepts the deliveries of a webhook.
	NOT_A_TRIGGER: [
		'The webhook does not deliver to a Voice Agent Calling Trigger',
		'Choose the webhook of a trigger. Get Many lists the URLs.',
	],
	NOT_ON_THIS_N8N: [
		'The webhook delivers to an address outside this n8n, and this n8n has no trigger with its path',
		'Use the n8n that has the trigger.',
	],
	NOT_PUBLISHED: [
		'No published workflow listens at the address of the webhook',
		"Publish the trigger's workflow. If it no longer exists, delete the webhook.",
	],
	NOT_REGISTERED_BY_TRIGGER: [
		'The webhook delivers to a trigger, but was made by hand: the trigger rejects its deliveries',
		"Use 'Rotate Secret' for this webhook: it gets the secret that the trigger accepts. Then use 'Catch Up' to redeliver what was rejected.",
	],
	NOT_ROTATED: [
		'The secret was not rotated. The service has dropped the part of the URL that says which secret it is',
		"Unpublish and publish the trigger's workflow instead.",
	],
	URL_NOT_KEPT: [
		'The service does not list the new webhook at the URL that it was given, so the trigger would reject its deliveries',
		'The webhook was deleted again. Make sure that the service returns the URL of a webhook unchanged.',
	],
	NO_ANSWER: [
		'n8n does not answer at the address of the webhook',
		'Check that n8n can reach its own public address, and any proxy on the way.',
	],
	N8N_REFUSED: [
		'No trigger answers at the address of the webhook',
		"Install this package, in the same version, in every n8n process that receives webhooks. n8n's log may say more.",
	],
	OTHER_ADDRESS: [
		'The webhook delivers to another address than that of the trigger on this n8n',
		'If this n8n has moved, give the webhook the new URL. If it is that of another n8n, leave it alone.',
	],
	SECRET_HEADER_MISSING: [
		'The trigger verifies by a secret header that the webhook does not have, so it rejects its deliveries',
		"Use 'Rotate Secret' for this webhook. Then use 'Catch Up' to redeliver what was rejected.",
	],
	SECRET_OF_OTHER_TOKEN: [
		'The URL of the webhook does not name the token of the credential: with a secret from another token, the trigger rejects its deliveries',
		"Use 'Rotate Secret' for this webhook. Then use 'Catch Up' to redeliver what was rejected.",
	],
	TEST_URL: [
		'The webhook delivers to a test URL, which works only while the editor listens',
		'It remains from a test in the editor, or has the wrong URL. Delete it and publish the workflow: the trigger registers its production URL itself.',
	],
	TRIGGER_NOT_PROVEN: [
		'No Voice Agent Calling Trigger with the same credential answers at the address of the webhook',
		"Choose the trigger's credential in this node, and use the same package version for both nodes.",
	],
	TRIGGER_OF_ANOTHER: [
		'The webhook delivers to a trigger for another agent or campaign, which rejects its deliveries',
		"Delete this webhook. Then add this agent or campaign to the trigger, or use 'Connect to Trigger': both register a webhook with the right URL.",
	],
	// Not allowed for an AI agent: nothing was sent.
	CALL_LIMIT_REACHED: undefined,
	NOT_FOR_TOOLS: ['{what} is not available to AI agents', 'Use it in a separate workflow, where a person decides.'],
	NUMBER_NOT_ALLOWED: ['This tool may not call {number}', 'It may call numbers that start with {prefixes}.'],
	// The service updated or created another object than the intended one. A mistakenly created object was deleted.
	WRONG_NODE_ID: undefined,
	// The run ended before the item was processed.
	CANCELED: undefined,
	NOT_TRIED: undefined,
	// A call continues although the service reported that it has ended.
	STILL_ACTIVE: undefined,
	// The response is missing or unreadable.
	CERTIFICATE_NOT_TRUSTED: undefined,
	CONNECTION_LOST: [
		'The connection to the service was closed before it answered',
		'If this happens often, check the network and any proxy between n8n and the service.',
	],
	HOST_NOT_FOUND: undefined,
	NOT_THE_SERVICE: [
		'Something other than the service answered with HTTP status {status}',
		"Check the credential's Base URL, and any proxy, firewall or login page between n8n and the service.",
	],
	NO_LIST: ['The response contains no list', "Turn off 'Return All Pages' to get the response."],
	OUTCOME_UNKNOWN: undefined,
	PROXY_REFUSED: undefined,
	REDIRECTED: [
		'The Base URL redirects to {target} (HTTP status {status}), which was not followed',
		'If that is the service, enter it as Base URL of the credential. Otherwise, check any proxy, firewall or login page between n8n and the service.',
	],
	SERVICE_NOT_FOUND: ['There is no Voice Agent Calling Service at this address', "Check the credential's Base URL."],
	TIMEOUT: [
		'The service did not answer within the request timeout',
		'If this happens often, raise Request Timeout, where the operation has the collection Sending.',
	],
	UNEXPECTED: undefined,
	UNREACHABLE: undefined,
	UNREADABLE_ANSWER: [
		'The service reported success, but {what}',
		"Check that the credential's Base URL leads to the service, not to a web page or a proxy.",
	],
} as const;

/** The messages of the credential test that replace the texts above, which mention nodes and items. */
export const byTest: Partial<Record<ErrorCode, string>> = {
	CONNECTION_LOST:
		'The connection was closed before an answer came. Check the Base URL, and that it starts with https:// if the service uses https.',
	TIMEOUT: 'Nothing answered within {seconds} seconds. Check the Base URL, and that the service is running.',
};

type StatusCode = keyof typeof byStatus;

type RefusalCode = keyof typeof byRefusal;

/** Every code in this file, and codes such as `HTTP_418` for other statuses. Unlisted codes of the service are cast. */
export type ErrorCode = StatusCode | RefusalCode | keyof typeof byNode | `HTTP_${number}`;

type Texts = readonly [meaning: string, advice: string];

/** The codes of {@link byNode} that have texts. */
export type CodeWithTexts = {
	[Code in keyof typeof byNode]: (typeof byNode)[Code] extends Texts ? Code : never;
}[keyof typeof byNode];

/** Returns the advice for a refusal; undefined if the code is not more specific than the HTTP status. */
export function adviceOf(code: string | undefined): string | undefined {
	return code !== undefined && Object.hasOwn(byRefusal, code) ? byRefusal[code as RefusalCode] : undefined;
}

const byNumber = new Map<number, StatusCode>(
	Object.entries(byStatus).map(([code, { status }]) => [status, code as StatusCode]),
);

/** Returns the texts for a status that neither the body nor the endpoint explains. */
export function textsOfStatus(status: number): { code: ErrorCode; meaning: string; advice: string } {
	const code = byNumber.get(status) ?? (status >= 500 ? 'SERVER_ERROR' : status < 300 ? 'FAILURE_REPORTED' : undefined);
	return code === undefined ? { ...byStatus.BAD_REQUEST, code: `HTTP_${status}` } : { ...byStatus[code], code };
}

type Values = Readonly<Record<string, unknown>>;

/** Replaces the names in braces by values. */
export function filled(text: string, values: Values): string {
	return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** Returns the texts of a code, with values filled in. */
export function textsOf(code: CodeWithTexts, values: Values = {}): [meaning: string, advice: string] {
	const [meaning, advice] = byNode[code];
	return [filled(meaning, values), filled(advice, values)];
}
