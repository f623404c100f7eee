import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../support/browser.ts';
import { startProgram, temporaryFolder } from '../support/program.ts';
import { PICTURES } from './bundle.ts';

/** Takes the pictures that hosts show of the bundle: the mark, and what one sees. */

const SIZE = { width: 1280, height: 800 };
const ICON_SIZE = 256;

const state = temporaryFolder();
const service = await startProgram(['serve', '--port', '0'], { WEB3_BI_STATE_DIR: state.path });
const browser = await openBrowser();
try {
  mkdirSync(PICTURES, { recursive: true });
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(`${service.url}/companies/uniswap`);
  await page.screenshot({ path: join(PICTURES, 'company.png') });
  await page.goto(`${service.url}/search?query=defi+companies+on+Arbitrum+that+raised+a+series+A`);
  await page.screenshot({ path: join(PICTURES, 'answers.png') });
  await page.setViewportSize({ width: ICON_SIZE, height: ICON_SIZE });
  const icon = await (await fetch(`${service.url}/favicon.ico`)).text();
  await page.goto('about:blank');
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${icon}`);
  await page.screenshot({ path: join(PICTURES, 'icon.png'), omitBackground: true });
} finally {
  await browser.close();
  await service.stop();
  state.remove();
}
