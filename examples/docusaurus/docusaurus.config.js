export default {
  title: 'Pages with a calculator',
  url: 'https://docs.example',
  baseUrl: '/',
  onBrokenLinks: 'throw',
  scripts: [{src: 'https://YOUR-HOST/embed.js', async: true, referrerpolicy: 'no-referrer'}],
  presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.js' }, blog: false, pages: false }]],
  themeConfig: { colorMode: { respectPrefersColorScheme: true } },
};
