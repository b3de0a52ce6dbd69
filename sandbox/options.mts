export const SIGNATURE_FORMATS = ['hex', 'sha256=hex', 'base64', 't,v1'] as const;
export type SignatureFormat = (typeof SIGNATURE_FORMATS)[number];

/** The settings of a sandbox. */
export interface SandboxOptions {
	/** Port on 127.0.0.1; 0 for any free one. */
	port: number;
	/** The environment token. `<token>-expired` and `<token>-readonly` exist as well. */
	token: string;
	/** How many sandbox seconds pass in a real second. */
	speed: number;
	/** Requests per window. */
	rateLimit: number;
	/** Length of a window in real seconds. */
	rateWindow: number;
	signatureHeader: string;
	signatureFormat: SignatureFormat;
	/** How many calls the account can pay for; may be Infinity. */
	credits: number;
	/** How many campaigns the plan allows, seeded ones included; may be Infinity. */
	maxCampaigns: number;
	/** How many calls each campaign places per hour, evenly spaced; Infinity: all that are due at once. */
	callsPerHour: number;
	/** The plan's flag `allow_custom_sip_trunks`. */
	customSipTrunks: boolean;
	/** Shortest real time that a call stays in each status, in milliseconds. */
	minimumStatusMs: number;
	/** Longest real time of a session on an SFTP server, in milliseconds. */
	sftpLimitMs: number;
}

export const DEFAULT_OPTIONS: SandboxOptions = {
	port: 4010,
	token: 'TOKEN',
	speed: 1,
	rateLimit: 1000,
	rateWindow: 60,
	signatureHeader: 'X-Webhook-Signature',
	signatureFormat: 'hex',
	credits: Infinity,
	maxCampaigns: Infinity,
	callsPerHour: Infinity,
	customSipTrunks: true,
	minimumStatusMs: 200,
	sftpLimitMs: 20_000,
};
