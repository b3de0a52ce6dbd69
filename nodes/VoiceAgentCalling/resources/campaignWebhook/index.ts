import type { Resource } from '../../../shared/operation';
import { create } from './create';
import { deleteWebhook } from './delete';
import { getMany } from './getMany';

export const campaignWebhook: Resource = {
	name: 'Campaign Webhook',
	value: 'campaignWebhook',
	operations: [create, deleteWebhook, getMany],
};
