import { generateKeyPairSync, sign } from 'node:crypto';
import forge from 'node-forge';

const DAY_MS = 86_400_000;
const { asn1, pki } = forge;

export interface Certificate {
	cert: string;
	key: string;
}

interface CertificateOptions {
	/** Who signs it; by default it signs itself. */
	issuer?: Certificate;
	isAuthority?: boolean;
	host?: string;
	/** When it is valid, in days from now. */
	from?: number;
	until?: number;
}

/** One pair of keys for all: making one takes long, and certificates are told apart by their names. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
	modulusLength: 2048,
	publicKeyEncoding: { type: 'spki', format: 'pem' },
	privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

let serial = 1;

export function certificate(
	name: string,
	{ issuer, isAuthority = false, host = 'localhost', from = -1, until = 1 }: CertificateOptions = {},
): Certificate {
	const made = pki.createCertificate();
	const subject = [{ name: 'commonName', value: name }];
	made.publicKey = pki.publicKeyFromPem(publicKey);
	made.serialNumber = String(serial++).padStart(2, '0');
	made.validity.notBefore = new Date(Date.now() + from * DAY_MS);
	made.validity.notAfter = new Date(Date.now() + until * DAY_MS);
	made.setSubject(subject);
	made.setIssuer(issuer ? pki.certificateFromPem(issuer.cert).subject.attributes : subject);
	made.setExtensions([
		{ name: 'basicConstraints', cA: isAuthority },
		{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
	]);
	// Signed by Node.js: forge takes a second for it inside of jest.
	made.siginfo.algorithmOid = pki.oids.sha256WithRSAEncryption as string;
	made.signatureOid = made.siginfo.algorithmOid;
	const [content] = pki.certificateToAsn1(made).value as forge.asn1.Asn1[];
	const bytes = Buffer.from(asn1.toDer(content as forge.asn1.Asn1).getBytes(), 'latin1');
	made.signature = sign('sha256', bytes, privateKey).toString('latin1');
	return { cert: pki.certificateToPem(made), key: privateKey };
}
