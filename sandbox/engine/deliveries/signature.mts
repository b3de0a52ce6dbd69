import { createHmac } from 'node:crypto';

import type { SignatureFormat } from '../../options.mts';

/**
 * Returns the value of the signature header: HMAC-SHA256 over the body's bytes, keyed by the webhook's secret.
 * The format `t,v1` signs `<t>.<body>`, with `t` the real time in seconds since 1970.
 */
export function sign(format: SignatureFormat, secret: string, body: string): string {
	if (format === 't,v1') {
		const time = Math.floor(Date.now() / 1000);
		return `t=${time},v1=${hmac(secret, `${time}.${body}`).toString('hex')}`;
	}
	const mac = hmac(secret, body);
	if (format === 'base64') {
		return mac.toString('base64');
	}
	return format === 'hex' ? mac.toString('hex') : `sha256=${mac.toString('hex')}`;
}

export function hmac(secret: string, text: string): Buffer {
	return createHmac('sha256', secret).update(text, 'utf8').digest();
}
