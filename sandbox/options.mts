export const SIGNATURE_FORMATS = ['hex', 'sha256=hex', 'base64', 't,v1'] as const;
export type SignatureFormat = (typeof SIGNATURE_FORMATS)[number];

/** What can be chosen about a sandbox. */
export interface SandboxOptions {
	/** Port on 127.0.0.1; 0 takes any free one. */
	port: number;
	/** The environment token; `<token>-expired` and `<token>-readonly` exist beside it. */
	token: string;
	/** Sandbox seconds in a real second. */
	speed: number;
	/** Requests in a window. */
	rateLimit: number;
	/** Length of the window in real seconds. */
	rateWindow: number;
	signatureHeader: string;
	signatureFormat: SignatureFormat;
	/** Calls that can be paid for; Infinity for unlimited. */
	credits: number;
	/** Campaigns that the plan allows, those of the seed included; Infinity for any number. */
	maxCampaigns: number;
	/** The plan's flag `allow_custom_sip_trunks`. */
	customSipTrunks: boolean;
	/** Least real time that a call stays in each status, in milliseconds. */
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
	customSipTrunks: true,
	minimumStatusMs: 200,
	sftpLimitMs: 20_000,
};
