import type { Resource } from '../../operation/operation';
import { catchUp } from './catchUp';
import { checkRegistration } from './checkRegistration';
import { connectToTrigger } from './connectToTrigger';
import { create } from './create';
import { deleteWebhook } from './delete';
import { disconnectFromTrigger } from './disconnectFromTrigger';
import { get } from './get';
import { getDeliveries } from './getDeliveries';
import { getMany } from './getMany';
import { redeliver } from './redeliver';
import { rotateSecret } from './rotateSecret';
import { sendTest } from './sendTest';
import { update } from './update';

export const webhookResource: Resource = {
	name: 'Webhook',
	value: 'webhook',
	operations: [
		catchUp,
		checkRegistration,
		connectToTrigger,
		create,
		deleteWebhook,
		disconnectFromTrigger,
		get,
		getDeliveries,
		getMany,
		redeliver,
		rotateSecret,
		sendTest,
		update,
	],
	firstOperation: getMany.value,
};
