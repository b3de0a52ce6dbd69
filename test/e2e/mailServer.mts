import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';

import { n8nProgram } from '../../scripts/n8n/environment.mts';

/** An email as its recipient sees it. */
export interface Mail {
	from: string;
	to: string;
	subject: string;
	/** Empty where it has only HTML. */
	text: string;
	/** Empty where it has only text. */
	html: string;
	attachments: unknown[];
}

interface Parsed {
	from?: { text: string };
	to?: { text: string };
	subject?: string;
	text?: string;
	html?: string | false;
	attachments: unknown[];
}

/** The library by which n8n itself reads emails. */
const { simpleParser } = createRequire(join(dirname(n8nProgram), '..', '..', 'n8n-nodes-base', 'package.json'))(
	'mailparser',
) as { simpleParser(source: Readable): Promise<Parsed> };

const USER = 'n8n';
const PASSWORD = 'mail-1';

/** An SMTP server on this machine that takes emails of one user, keeps every email and delivers none. */
export async function startMailServer() {
	const mails: Mail[] = [];
	const smtp = new SMTPServer({
		allowInsecureAuth: true,
		disabledCommands: ['STARTTLS'],
		onAuth({ username, password }, _session, done) {
			const isKnown = username === USER && password === PASSWORD;
			done(isKnown ? null : new Error('Wrong user or password'), { user: username });
		},
		onData(stream, _session, done) {
			simpleParser(stream).then(({ from, to, subject = '', text = '', html, attachments }) => {
				mails.push({ from: from?.text ?? '', to: to?.text ?? '', subject, text, html: html || '', attachments });
				done();
			}, done);
		},
	});
	// n8n may cut the connection once its email is accepted.
	smtp.on('error', () => undefined);
	const listening = smtp.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const { port } = listening.address() as AddressInfo;
	return {
		/** What the SMTP credential of n8n has. */
		credential: { user: USER, password: PASSWORD, host: '127.0.0.1', port, secure: false },
		/** All emails so far, in order. */
		mails,
		close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
	};
}
