/** n8n's environment variable with its public address. */
export const PUBLIC_ADDRESS_VARIABLE = 'N8N_WEBHOOK_URL (n8n 2.20 and older: WEBHOOK_URL)';
