import type { Resource } from '../../operation/operation';
import { create } from './create';
import { get } from './get';
import { getLogs } from './getLogs';
import { testConnection } from './testConnection';
import { triggerExport } from './triggerExport';
import { triggerImport } from './triggerImport';
import { update } from './update';

export const campaignSftpResource: Resource = {
	name: 'Campaign SFTP',
	value: 'campaignSftp',
	operations: [create, get, getLogs, testConnection, triggerExport, triggerImport, update],
	firstOperation: 'get',
};
