import type { SandboxOptions } from '../../sandbox/options.mts';
import { type SandboxClient, startClient } from './client.mts';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.mts';

/** A sandbox for all tests of a file or a `describe`, with its initial world before each. Its clock stands still. */
export function useService(options: Partial<SandboxOptions> = {}): SandboxClient {
	const service = {} as SandboxClient;
	beforeAll(async () => void Object.assign(service, await startClient({ speed: 0, ...options })));
	beforeEach(async () => void (await service.control('reset', {})));
	afterAll(() => service.close());
	return service;
}

/** A receiver of webhooks for all tests, which has received nothing and answers 200 before each. */
export function useReceiver(): WebhookReceiver {
	const receiver = {} as WebhookReceiver;
	beforeAll(async () => void Object.assign(receiver, await startWebhookReceiver()));
	beforeEach(() => {
		receiver.received.length = 0;
		receiver.respond(200);
	});
	afterAll(() => receiver.close());
	return receiver;
}
