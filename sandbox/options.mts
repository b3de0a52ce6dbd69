export const SIGNATURE_FORMATS = ['hex', 'sha256=hex', 'base64', 't,v1'] as const;
export type SignatureFormat = (typeof SIGNATURE_FORMATS)[number];

/** The settings of a sandbox. */
export interface SandboxOptions {
	/** The port on 127.0.0.1; 0 for any free port. */
	port: number;
	/** The environment token. `<token>-expired` and `<token>-readonly` are valid too. */
	token: string;
	/** How many sandbox seconds pass in a real second; 0: the clock moves only when it is advanced. */
	speed: number;
	/** Requests per window. */
	rateLimit: number;
	/** Length of a window in real seconds. */
	rateWindow: number;
	/** `fixed`: all requests leave a window at its end. `sliding`: each request leaves it after the window's length. */
	rateWindows: 'fixed' | 'sliding';
	signatureHeader: string;
	signatureFormat: SignatureFormat;
	/** The names of the variants, which change decisions about open questions of the description. */
	variants: readonly string[];
	/** How many calls the account can pay for; may be Infinity. */
	credits: number;
	/** How many campaigns the plan allows, seeded ones included; may be Infinity. */
	maxCampaigns: number;
	/** How many calls each campaign places per hour, evenly spaced; Infinity: all that are due at once. */
	callsPerHour: number;
	/** The plan's flag `allow_custom_sip_trunks`. */
	customSipTrunks: boolean;
	/** With a seed, ids are the same in each run with the same requests; null: they are random. */
	seed: number | null;
	/** The time of the sandbox's clock at the start (milliseconds since 1970); null: the real time. */
	startTime: number | null;
	/** The file that keeps the sandbox's data for the next start; null: the data is in memory only. */
	stateFile: string | null;
	/** Longest real time that an action of an agent may take, in milliseconds. */
	actionLimitMs: number;
	/** Shortest real time that a call stays in each status, in milliseconds. */
	minimumStatusMs: number;
	/** Longest real time in which a request has to arrive completely, in milliseconds. */
	requestLimitMs: number;
	/** Called with each response of a route before it is sent, except for responses that a fault replaces. */
	onResponse?: (
		request: { method: string; path: string },
		response: { status: number; body: unknown; type?: string },
	) => void;
}

export const DEFAULT_OPTIONS: SandboxOptions = {
	port: 4010,
	token: 'TOKEN',
	speed: 1,
	rateLimit: 1000,
	rateWindow: 60,
	rateWindows: 'fixed',
	signatureHeader: 'X-Webhook-Signature',
	signatureFormat: 'hex',
	variants: [],
	credits: Infinity,
	maxCampaigns: Infinity,
	callsPerHour: Infinity,
	customSipTrunks: true,
	seed: null,
	startTime: null,
	stateFile: null,
	actionLimitMs: 10_000,
	minimumStatusMs: 200,
	requestLimitMs: 60_000,
};
