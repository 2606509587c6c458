namespace App
{
    public partial class Form : Window
    {
        private void Setup()
        {
            button = new Button(); // calls :Button
            Show(); // calls :Window.Show
            Dispose(); // calls First.cs:Form.Dispose
            new Part().Fit(); // calls :Form.Part.Fit, :Form.Part
        }

        partial void OnReady()
        {
            Setup(); // calls :Form.Setup
        }

        public partial class Part
        {
            public void Fit() { Cut(); } // calls Third.cs:Form.Part.Cut
        }
    }

    public class Window
    {
        public void Show() {}
    }

    public class Button
    {
        public void Press() {}
    }
}
