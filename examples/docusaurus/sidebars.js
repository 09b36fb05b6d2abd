export default { docs: ['index', 'iframe', 'component'] };
